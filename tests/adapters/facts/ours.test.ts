/** @long @needs tools */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Store } from '../../../src/activities/ports.js';
import { tryKey } from '../../../src/engine/cache/key-parts.js';
import { nothingToDo } from '../../../src/plan/nothing-to-do.js';
import { gatherFacts, planWithRows } from '../../../src/adapters/facts/index.js';
import { sha256 } from '../../../src/adapters/sha256.js';
import { openFolder } from '../../../src/adapters/static-index/folder.js';
import { drawPages } from '../../../src/activities/index/draw-pages.js';
import { skeletonOf } from '../../../src/plan/skeleton.js';
import { givenIn } from '../../../src/cli/given.js';
import type { Given, Plan, StepOf } from '../../../src/model/plan.js';
import { indexPaths } from '../../../src/model/python/index-entry.js';
import { records } from '../../../src/model/run-folder.js';
import { put } from '../../activities/index/an-index.js';
import { aListOfTwo, LISTED, sdist, type WheelListWorld } from '../../support/a-wheel-list.js';
import { pastOf } from '../../support/past-of.js';

const DAY_MS = 86_400_000;
let world: WheelListWorld;
let store: Store;
beforeEach(async () => {
  ({ world, store } = await aListOfTwo());
});
afterEach(() => world.end());

const past = pastOf(() => store);
/** Without one, the label is the minute of planning: two plans may be made in two minutes. */
const LABEL = { label: 'one' };
const planned = (given: Given = LABEL) => planWithRows(world.file, 'local', given, past);

const ours = (project: string, version: string, tag: string): string =>
  `${project}-${version}-${tag}-${tag}-linux_x86_64.whl`;
const SKIFFS = [
  ['debian-12', ours('skiff', '1.0', 'cp311')],
  ['debian-13', ours('skiff', '1.0', 'cp313')],
] as const;
const OARS = [
  ['debian-12', ours('oars', '2', 'cp311')],
  ['debian-13', ours('oars', '2', 'cp313')],
] as const;

/** Lists wheels as publishers and the writer of the index do. */
async function list(wheels: readonly (readonly [string, string])[]): Promise<void> {
  const place = openFolder('cache', world.wheels);
  for (const [platform, file] of wheels) {
    await put(place, file, platform);
    await drawPages(place, platform, [file.split('-')[0]!]);
  }
}

const buildsOf = ({ steps }: Plan): readonly string[] =>
  steps.flatMap(({ id, kind }) => (kind === 'buildWheel' || kind === 'fetchSource' ? [id] : []));
const verdictsOf = ({ rows }: Awaited<ReturnType<typeof planned>>): readonly string[] =>
  rows!.rows['wheels/constraints']!.map(({ verdict }) => verdict);

test('given an index of ours, then only what it lacks is built; and once it has all, the plan has nothing to do', async () => {
  await list(SKIFFS);
  const { plan } = await planned();
  expect(buildsOf(plan)).toEqual(['source/oars-2', 'wheels/oars-2/cp311/debian-12', 'wheels/oars-2/cp313/debian-13']);
  expect(plan.imports!.of[0]!.counts).toEqual({ build: 2, here: 2 });
  expect(nothingToDo(plan)).toBeNull();
  await list(OARS);
  const all = await planned();
  expect(buildsOf(all.plan)).toEqual([]);
  expect(nothingToDo(all.plan)).toBe('4 here');
});

test.each([
  [
    'bases of its platforms',
    /(debian-1[23])(: .*) }\n/g,
    '$1$2, base: $1 }\n',
    'bases: { debian-12: { debian: bookworm, python: own }, debian-13: { debian: trixie, python: own } }\n',
  ],
  ['a seal before its index', ', when: built', '', ''],
])('given a file with %s, when the index has all, then the plan has nothing to do', async (_what, from, to, more) => {
  writeFileSync(world.file, LISTED.replace(from, to) + more);
  await list([...SKIFFS, ...OARS]);
  expect(nothingToDo((await planned()).plan)).toBe('4 here');
});

test('given the facts of a plan, then it is planned again without the index of ours', async () => {
  await list(SKIFFS);
  const { source } = await gatherFacts(world.file, 'local', undefined, LABEL, past);
  const { plan } = await planned();
  const again = await planWithRows(world.file, 'local', LABEL, undefined, source);
  expect(again.plan.steps).toEqual(plan.steps);
});

test.each([
  ['cut off', (text: string) => text.slice(0, text.length / 2)],
  ['of another program', () => '{"files": []}'],
  ['no text', () => '\0\0\0'],
])('given a roll-up that is %s, then the entries count, and a finding says so', async (_what, damage) => {
  await list([...SKIFFS, ...OARS]);
  const path = join(world.wheels, indexPaths.rollup('debian-12'));
  writeFileSync(path, damage(JSON.stringify({ slipway: 1, files: [] })));
  const made = await planned();
  expect(verdictsOf(made)).toEqual(['here', 'here', 'here', 'here']);
  expect(made.plan.imports!.of[0]!.notices).toMatchObject([{ code: 'INDEX_ROLLUP_DAMAGED', level: 'warning' }]);
});

test('given a damaged entry and no roll-up, then its wheel alone is built again, and a finding says so', async () => {
  const place = openFolder('cache', world.wheels);
  for (const [platform, file] of [...SKIFFS, ...OARS]) await put(place, file, platform);
  const [[platform, file]] = SKIFFS;
  writeFileSync(join(world.wheels, indexPaths.entry(platform, 'skiff', file)), '{"slipway": 1');
  const made = await planned();
  expect(verdictsOf(made)).toEqual(['here', 'here', 'build', 'here']);
  expect(made.plan.imports!.of[0]!.notices).toMatchObject([{ code: 'INDEX_ENTRY_DAMAGED' }]);
});

test('given an index of ours that cannot be read, then planning fails with a code, and nothing is built', async () => {
  const path = join(world.wheels, indexPaths.rollup('debian-12'));
  mkdirSync(dirname(dirname(path)), { recursive: true });
  writeFileSync(dirname(path), 'a file in place of the folder');
  await expect(planned()).rejects.toMatchObject({ first: { code: 'INDEX_BROKEN' } });
});

test('given two indexes that take a wheel, then it is here only if both have it; a target for others does not count', async () => {
  const more = `  second: { kind: simple, files: ['wheels/oars*'], when: built }\n`;
  mkdirSync(join(world.folder, 'profiles'));
  const profile = (second: string) =>
    writeFileSync(
      join(world.folder, 'profiles', 'two.yaml'),
      `rehearsal: false\ntargets:\n  cache: { kind: simple, address: ${world.wheels}, reads: 'http://127.0.0.1:9/' }\n  second: { kind: simple, address: ${second}, reads: 'http://127.0.0.1:9/' }\n`,
    );
  writeFileSync(world.file, LISTED + more);
  await list([...SKIFFS, ...OARS]);
  profile(join(world.folder, 'second'));
  const made = await planWithRows(world.file, 'two', undefined, past);
  expect(verdictsOf(made)).toEqual(['build', 'build', 'here', 'here']);
  profile(world.wheels);
  expect(verdictsOf(await planWithRows(world.file, 'two', undefined, past))).toEqual(['here', 'here', 'here', 'here']);
});

/** Records a failure of each build of a plan, as workers do. */
async function failAll(plan: Plan, ageMs = 0): Promise<void> {
  const at = new Date(Date.now() - ageMs).toISOString();
  const problem = { code: 'BUILD_FAILED', class: 'product', message: 'no compiler', next: 'none' } as const;
  for (const step of plan.steps.filter((one): one is StepOf<'buildWheel'> & typeof one => one.kind === 'buildWheel'))
    await store.create(`${records.failedTries(step.id, tryKey(plan, step, sha256))}${at}`, {
      ...{ run: 'run-1', step: step.id, at, problem },
    });
}
const withKeys = (keys: string): void =>
  writeFileSync(world.file, LISTED.replace('    file: uc.txt\n', `    file: uc.txt\n${keys}`));

test('given builds that failed, then they are not tried for a week, and a change of the recipe builds at once', async () => {
  world.commit('skiff==1.0\n');
  const first = await planned();
  await failAll(first.plan);
  const second = await planned();
  expect(verdictsOf(second)).toEqual(['failed before', 'failed before']);
  expect(second.rows!.rows['wheels/constraints']![0]!.reason).toContain('BUILD_FAILED: no compiler');
  expect(nothingToDo(second.plan)).toBe('2 failed before');
  expect(skeletonOf(second.plan, sha256(''), {}).failedBefore).toHaveLength(1);
  const { source } = await gatherFacts(world.file, 'local', undefined, LABEL, past);
  expect((await planWithRows(world.file, 'local', LABEL, undefined, source)).plan.steps).toEqual(second.plan.steps);
  withKeys(`    with: { skiff: { env: { CFLAGS: -O0 } } }\n`);
  expect(verdictsOf(await planned())).toEqual(['build', 'build']);
});

test('given failures that are older than `retryFailed`, then the builds are tried again', async () => {
  world.commit('oars==2\n');
  await failAll((await planned()).plan, 3 * DAY_MS);
  expect(verdictsOf(await planned())).toEqual(['failed before', 'failed before']);
  withKeys('    retryFailed: 2d\n');
  expect(verdictsOf(await planned())).toEqual(['build', 'build']);
});

test('given a known failure, then it is built again by another recipe, and its failure is tolerated', async () => {
  world.commit('keel==3\n');
  world.index.project('keel', [sdist('keel-3.tar.gz')]);
  const known = '    known: [{ wheel: keel, because: needs newer headers, until: 2999-01-31 }]\n';
  await failAll((await planned()).plan);
  withKeys(known);
  const listed = await planned();
  expect(verdictsOf(listed)).toEqual(['known', 'known']);
  withKeys(`${known}    with: { keel: { env: { CFLAGS: -O0 } } }\n`);
  const { plan } = await planned();
  const builds = plan.steps.filter(({ kind }) => kind === 'buildWheel');
  expect(builds.map(({ tolerate }) => tolerate)).toEqual([
    '`known` lists it: needs newer headers',
    '`known` lists it: needs newer headers',
  ]);
});

test('given an index that goes off after half of the answers, then nothing is built because of it, and later it is', async () => {
  world.commit('skiff==1.0\noars==2\nkeel==3\nhull==4\n');
  const off = (_: unknown, response: { destroy(): void }): void => response.destroy();
  for (const name of ['keel', 'hull']) world.index.answer(name, off as never);
  const half = await planned();
  expect(verdictsOf(half)).toEqual([
    ...Array<string>(2).fill('unanswered'),
    ...Array<string>(2).fill('unanswered'),
    ...Array<string>(4).fill('build'),
  ]);
  expect(buildsOf(half.plan).filter((id) => /keel|hull/.test(id))).toEqual([]);
  for (const name of ['keel', 'hull']) world.index.project(name, [sdist(`${name}-${name === 'keel' ? 3 : 4}.tar.gz`)]);
  expect(new Set(verdictsOf(await planned()))).toEqual(new Set(['build']));
});

test('given an index that is off for the whole plan, then it is not planned at all; wheels of ours stay here offline', async () => {
  await list([...SKIFFS, ...OARS]);
  await world.index.stop();
  await expect(planned()).rejects.toMatchObject({ first: { code: 'INDEX_UNREACHABLE' } });
  const offline = await planned(givenIn({ offline: true }));
  expect(verdictsOf(offline)).toEqual(['here', 'here', 'here', 'here']);
});
