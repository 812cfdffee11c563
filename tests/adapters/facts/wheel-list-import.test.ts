/** @long @needs tools */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expanded } from '../../../src/adapters/facts/expanded.js';
import { gatherFacts, planWithRows } from '../../../src/adapters/facts/index.js';
import { sha256 } from '../../../src/adapters/sha256.js';
import { givenIn } from '../../../src/cli/given.js';
import { digestOf } from '../../../src/model/digest.js';
import type { Plan } from '../../../src/model/plan.js';
import { aWheelList, sdist, type WheelListWorld } from '../../support/a-wheel-list.js';

const FILE = `
slipway: 1
pipeline: { name: boats, label: X1 }
platforms:
  debian-12: { like: linux-x86_64, libc: '2.36' }
  debian-13: { like: linux-x86_64, libc: '2.41', until: 2020-01-01 }
wheels:
  constraints:
    import: wheel-list
    git: requirements
    file: uc.txt
    rows:
      - { branch: master, for: { debian-12: [cp311, cp313], debian-13: [cp313] } }
    timeout: 20m
    cutoff: 2026-11-01
    retryFailed: 2d
    with: { oars: { packages: [libsea-dev] } }
  asked:
    import: wheel-list
    wants: ['skiff>=1,<2']
    for: { debian-12: [cp312] }
`;

let world: WheelListWorld;
beforeEach(async () => {
  world = await aWheelList(FILE);
  world.commit('skiff==1.0\noars===2\nhull==3\n');
  world.index.project('skiff', [sdist('skiff-1.0.tar.gz'), sdist('skiff-2.0.tar.gz')]);
  world.index.project('oars', [sdist('oars-2.zip'), sdist('oars-2-cp311-cp311-manylinux_2_28_x86_64.whl')]);
  world.index.project('hull', [sdist('hull-3-py3-none-any.whl')]);
});
afterEach(() => world.end());

const buildsOf = ({ steps }: Plan): readonly string[] =>
  steps.flatMap(({ id, kind }) => (kind === 'buildWheel' || kind === 'fetchSource' ? [id] : []));

test('given lists and an index, what the index lacks is planned, each wheel alone, and every row is in one document', async () => {
  const { plan, rows } = await planWithRows(world.file, 'local');
  expect(buildsOf(plan)).toEqual([
    ...['source/oars-2', 'source/skiff-1.0', 'wheels/oars-2/cp313/debian-12'],
    ...['wheels/skiff-1.0/cp311/debian-12', 'wheels/skiff-1.0/cp312/debian-12', 'wheels/skiff-1.0/cp313/debian-12'],
  ]);
  const wheel = plan.steps.find(({ id }) => id === 'wheels/oars-2/cp313/debian-12')!;
  expect(wheel).toMatchObject({ source: 'source/oars-2', limitMs: 1_200_000 });
  expect(wheel.params).toMatchObject({
    ...{ version: '2', retryFailedMs: 172_800_000 },
    lock: { cutoff: '2026-11-01T00:00:00Z' },
  });
  expect(plan.imports!.of).toMatchObject([
    { id: 'wheels/constraints', counts: { build: 3, 'left out': 3, upstream: 3 } },
    { id: 'wheels/asked', counts: { build: 1 } },
  ]);
  expect(plan.imports!.rows).toBe(digestOf(rows, sha256));
  expect(rows!.rows['wheels/constraints']).toContainEqual({
    ...{ subject: 'oars==2 debian-12 cp313', verdict: 'build', entry: 'wheels/oars-2' },
    reason: '1 wheel, none for cp313; the nearest is cp311-cp311-manylinux_2_28_x86_64',
    origin: { file: 'master:uc.txt', line: 2 },
  });
  expect(new Set(world.index.asked)).toEqual(new Set(['skiff', 'oars', 'hull']));
});

test('given a second plan, the index is not asked; given one more line, only its project is', async () => {
  await planWithRows(world.file, 'local');
  const asked = world.index.asked.length;
  const { plan } = await planWithRows(world.file, 'local');
  expect(world.index.asked).toHaveLength(asked);
  world.commit('skiff==1.0\noars===2\nhull==3\nkeel==1\n');
  world.index.project('keel', [sdist('keel-1.tar.gz')]);
  const more = await planWithRows(world.file, 'local');
  expect(world.index.asked.slice(asked)).toEqual(['keel']);
  const added = buildsOf(more.plan).filter((id) => !buildsOf(plan).includes(id));
  expect(added).toEqual(['source/keel-1', 'wheels/keel-1/cp311/debian-12', 'wheels/keel-1/cp313/debian-12']);
});

test('given the facts of a plan, it is planned again without repository and index', async () => {
  const { source } = await gatherFacts(world.file, 'local');
  const { plan } = await planWithRows(world.file, 'local');
  rmSync(join(world.folder, 'requirements'), { recursive: true });
  rmSync(join(world.folder, 'home'), { recursive: true });
  const asked = world.index.asked.length;
  const again = await planWithRows(world.file, 'local', undefined, undefined, source);
  expect(again.plan.steps).toEqual(plan.steps);
  expect(world.index.asked).toHaveLength(asked);
});

test('given an import, when its expanded text is planned, then the plan has the same steps', async () => {
  const { plan } = await planWithRows(world.file, 'local');
  const text = await expanded(world.file, 'local', undefined, null);
  expect(text).toContain('  # master:uc.txt:2\n  oars-2:\n');
  writeFileSync(world.file, text);
  expect((await planWithRows(world.file, 'local')).plan.steps).toEqual(plan.steps);
});

test('given an index that does not answer for one project, its wheels wait and the others are planned', async () => {
  world.index.answer('oars', (_, response) => void response.writeHead(503).end());
  const { plan, rows } = await planWithRows(world.file, 'local');
  expect(buildsOf(plan).filter((id) => id.includes('oars'))).toEqual([]);
  expect(buildsOf(plan)).toContain('wheels/skiff-1.0/cp311/debian-12');
  expect(rows!.rows['wheels/constraints']!.filter(({ verdict }) => verdict === 'unanswered')).toHaveLength(2);
});

test('given --offline and no former answers, then nothing is built and every row is unanswered', async () => {
  const { plan, rows } = await planWithRows(world.file, 'local', givenIn({ offline: true }));
  expect(buildsOf(plan)).toEqual([]);
  expect(world.index.asked).toEqual([]);
  const verdicts = Object.values(rows!.rows)
    .flat()
    .map(({ verdict }) => verdict);
  expect(new Set(verdicts)).toEqual(new Set(['left out', 'unanswered']));
});

test('given an index that is off and its former answers, then the plan is the same, offline and not', async () => {
  const { plan } = await planWithRows(world.file, 'local');
  await world.index.stop();
  const offline = await planWithRows(world.file, 'local', givenIn({ offline: true }));
  writeFileSync(world.file, FILE.replaceAll('import: wheel-list', 'import: wheel-list\n    maxAge: 0s'));
  const { rows, plan: late } = await planWithRows(world.file, 'local');
  expect([offline.plan.steps, late.steps]).toEqual([plan.steps, plan.steps]);
  expect(rows!.rows['wheels/asked']).toMatchObject([{ verdict: 'build' }]);
});
