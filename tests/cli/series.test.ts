/** @needs tools */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { planWithRows } from '../../src/adapters/facts/index.js';
import { sha256 } from '../../src/adapters/sha256.js';
import { cache } from '../../src/cli/commands/cache.js';
import { plan as planCommand } from '../../src/cli/commands/plan.js';
import { canonical } from '../../src/model/json.js';
import { aWheelList, LISTED, sdist, type WheelListWorld } from '../support/a-wheel-list.js';
import { aRun } from './a-run.js';
import { fakeClient, fakeIo, fakePorts, fakeStore } from './fake-ports.js';

const NEWEST = "rows: [{ branch: 'stable/*', newest: 2, for: { debian-12: [cp311] } }]";
const FILE = LISTED.replace(/rows: .*/, NEWEST).replace(
  NEWEST,
  `${NEWEST}\n    ignore: { master: nobody installs from it }`,
);

let world: WheelListWorld;
beforeEach(async () => {
  world = await aWheelList(FILE);
  world.commit('skiff==0\n');
});
afterEach(() => world.end());

const git = (...args: readonly string[]) =>
  execFileSync('git', ['-C', join(world.folder, 'requirements'), '-c', 'user.name=x', '-c', 'user.email=x@x', ...args]);

/** Commits branches whose lists pin skiff to a version of their own: the first one to 1, the next one to 2. */
function branches(...names: readonly string[]): void {
  for (const [at, name] of names.entries()) {
    git('checkout', '--quiet', '-b', name, 'master');
    writeFileSync(join(world.folder, 'requirements/uc.txt'), `skiff==${at + 1}\n`);
    git('commit', '--quiet', '-am', name);
  }
  world.index.project(
    'skiff',
    names.map((_, at) => sdist(`skiff-${at + 1}.tar.gz`)),
  );
}

/** Texts of `slipway plan` and, after a run of that plan, of `slipway cache status`. */
async function screens() {
  const whole = await planWithRows(world.file, 'local');
  const { plan, rows } = whole;
  const documents = new Map([plan, rows!].map((one) => [sha256(canonical(one)), canonical(one)]));
  const store = {
    ...fakeStore(),
    has: async (digest: string) => documents.has(digest as never),
    get: async (digest: string) =>
      (async function* () {
        yield new TextEncoder().encode(documents.get(digest as never) ?? '');
      })(),
  };
  const status = aRun({ workflowId: 'pipeline/boats/X1', name: 'boats', plan: sha256(canonical(plan)), steps: [] });
  const ports = {
    ...fakePorts({ client: fakeClient([[status]]), store, runs: 'pipeline/boats' }),
    planWithRows: async () => whole,
  };
  const [planned, told, json] = [fakeIo(), fakeIo(), fakeIo()];
  await planCommand.run({ args: {}, options: { profile: 'local' } }, planned, ports);
  await cache.run({ args: { action: 'status' }, options: {} }, told, ports);
  await cache.run({ args: { action: 'status' }, options: { json: true } }, json, ports);
  const { wheels } = JSON.parse(json.printed.join('\n')) as { wheels: readonly { wheel: string }[] };
  return {
    planned: planned.printed.join('\n'),
    told: told.printed.join('\n'),
    wheels: wheels.map(({ wheel }) => wheel),
  };
}

test.each([
  ['letters and dates', ['yoga', 'zed', '2023.1', '2026.1'], ['2023.1', '2026.1']],
  ['letters and one date', ['2023.1', 'zed', 'antelope', 'yoga'], ['zed', '2023.1']],
  ['letters', ['zed', 'xena', 'yoga'], ['yoga', 'zed']],
  ['dates of two digits', ['2025.2', '2025.10', '2025.1'], ['2025.2', '2025.10']],
  ['a single one', ['2026.1'], ['2026.1']],
])('given branches of series with %s, then plan and status have the two newest ones', async (_what, all, kept) => {
  const names = all.map((series) => `stable/${series}`);
  branches(...names);
  const { planned, told, wheels } = await screens();
  const pins = kept.map((series) => `skiff==${names.indexOf(`stable/${series}`) + 1}`);
  expect(wheels.toSorted()).toEqual(pins.toSorted());
  for (const pin of pins) expect(planned).toContain(`wheels/${pin.replace('==', '-')}`);
  expect(told).toMatch(new RegExp(`debian-12 cp311 +${pins.length} `));
  for (const pin of pins) expect(told).toContain(pin);
  expect(told).not.toContain('Unlisted');
  expect(planned).not.toContain('BRANCH_UNLISTED');
});

test('given a new branch that no row names, then plan and status report it, and the others are planned as before', async () => {
  branches('stable/zed', 'stable/2026.1');
  const before = await screens();
  git('branch', 'feature/sails', 'master');
  const { planned, told, wheels } = await screens();
  expect(wheels).toEqual(before.wheels);
  expect(planned).toMatch(/BRANCH_UNLISTED feature\/sails/);
  expect(told).toMatch(/Unlisted {2}feature\/sails: on the server, and in no row/);
});

test('given a newer series, then it takes the place of the oldest kept one', async () => {
  branches('stable/zed', 'stable/2023.1');
  expect((await screens()).wheels.toSorted()).toEqual(['skiff==1', 'skiff==2']);
  git('checkout', '--quiet', '-b', 'stable/2023.2', 'master');
  writeFileSync(join(world.folder, 'requirements/uc.txt'), 'skiff==3\n');
  git('commit', '--quiet', '-am', 'a new series');
  world.index.project(
    'skiff',
    [1, 2, 3].map((at) => sdist(`skiff-${at}.tar.gz`)),
  );
  expect((await screens()).wheels.toSorted()).toEqual(['skiff==2', 'skiff==3']);
});
