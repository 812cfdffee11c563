/** @needs s3 */
import { join } from 'node:path';
import { keepAction, readChain, readStandings } from '../../../src/activities/standings/chain.js';
import type { Store } from '../../../src/activities/ports.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { createS3Store } from '../../../src/adapters/s3-store/index.js';
import { records } from '../../../src/model/run-folder.js';
import type { Outcome } from '../../../src/model/tests/outcome.js';
import { standingsFault } from '../../../src/model/tests/standings-fault.js';
import { timeOf } from '../../engine/standings/a-night.js';
import { aServer, withS3 } from '../../adapters/s3-store/a-server.js';
import { newHome } from '../../support/run-body.js';
import { aClusterTest, aNightRan, CHAIN, type Left } from './a-run.js';

const FAILED = { code: 'TEST_FAILED', class: 'product', exit: 7, returnCode: 40 } as const;
const NO_NODES = { code: 'NODES_MISSING', class: 'infra', exit: null, returnCode: 33 } as const;
const test1 = aClusterTest('many_nodes');
const storeIn = (home: string): Store => createDirectoryStore(join(home, 'store'));

/** Runs one test night after night, and answers its states. */
async function nights(home: string, all: readonly Left[], from = 1): Promise<readonly (string | undefined)[]> {
  const states = [];
  for (const [at, left] of all.entries()) {
    await aNightRan({ home, day: from + at, left: new Map([[test1, left]]) });
    states.push((await readStandings(storeIn(home), CHAIN))!.tests['many_nodes']?.state);
  }
  return states;
}

test('given five nights, then a test passes, fails, fails consistently, is jailed, and its jail ends', async () => {
  const home = await newHome();
  const states = await nights(home, [[{}], [FAILED], [FAILED], [FAILED], [FAILED]]);
  expect(states).toEqual(['passing', 'failing', 'consistently failing', 'jailed', 'jailed']);
  const { jail } = (await readStandings(storeIn(home), CHAIN))!.tests['many_nodes']!;
  expect(jail).toMatchObject({ owner: 'core', until: timeOf(18) });
  expect(await nights(home, [[NO_NODES]], 18)).toEqual(['consistently failing']);
  expect(await nights(home, [[{}]], 19)).toEqual(['passing']);
  const { last } = await readChain(storeIn(home), CHAIN);
  expect(standingsFault(last)).toBeNull();
});

test.each<[what: string, left: Left, letter: string | undefined]>([
  ['a pass', [{}], 'P'],
  ['a pass after a failure of its own', [FAILED, {}], 'p'],
  ['a pass after a failure of the infrastructure', [NO_NODES, {}], 'P'],
  ['a failure', [FAILED], 'F'],
  ['a failure, then the infrastructure', [FAILED, NO_NODES], 'I'],
  ['a failure of the infrastructure', [NO_NODES], 'I'],
  ['no attempt', [], 'I'],
  ['a worker that died', 'lost', 'I'],
  ['a result of an earlier run', 'reused', undefined],
])('given %s, then its letter is %j', async (_what, left, letter) => {
  const home = await newHome();
  await nights(home, [left]);
  expect((await readStandings(storeIn(home), CHAIN))!.tests['many_nodes']?.letters).toBe(letter);
});

test('given a worker that died, then its attempt gets an outcome', async () => {
  const home = await newHome();
  const buildkite = { url: 'https://buildkite.example.invalid/7', job: 'j-1' };
  await storeIn(home).create(records.file('run-1'), { file: '/slipway.yaml', buildkite });
  await nights(home, ['lost']);
  const name = records.outcome('night', 'run-1', 'many_nodes', 1, 1);
  expect(await storeIn(home).read(name)).toMatchObject({ code: 'OUTCOME_LOST', class: 'lost', attempt: 1, buildkite });
});

test('given a worker that died before the attempt that passed, then the lost attempt gets an outcome, and the pass counts', async () => {
  const home = await newHome();
  expect(await nights(home, [['lost', {}]])).toEqual(['passing']);
  const codeOf = async (attempt: number) =>
    (await storeIn(home).read<Outcome>(records.outcome('night', 'run-1', 'many_nodes', 1, attempt)))!.code;
  expect([await codeOf(1), await codeOf(2)]).toEqual(['OUTCOME_LOST', null]);
});

test('given repeats of one test, then one failure is a failure of the test', async () => {
  const home = await newHome();
  const [one, two] = ['1', '2'].map((repeat) => aClusterTest(`spread/${repeat}`, { axes: { repeat } }));
  await aNightRan({
    home,
    day: 1,
    left: new Map([
      ...([
        [one!, [{}]],
        [two!, [FAILED]],
      ] as const),
    ]),
  });
  expect((await readStandings(storeIn(home), CHAIN))!.tests).toMatchObject({ spread: { letters: 'F' } });
});

test('given a run on another branch, then the standings do not change', async () => {
  const home = await newHome();
  const { made } = await aNightRan({ home, day: 1, left: new Map([[test1, [FAILED]]]), branch: 'fix' });
  expect(made.note).toBe('a run of fix counts for nothing; only master does');
  expect(await storeIn(home).list('standings/')).toEqual([]);
});

test('given the step again after its worker died, then the night counts once', async () => {
  const home = await newHome();
  const night = { home, day: 1, left: new Map([[test1, [FAILED]]]) };
  await aNightRan(night);
  const { made } = await aNightRan({ ...night, day: 1 });
  expect(made.facts).toEqual({ record: 'standings/night/local/master/000001' });
  expect(await storeIn(home).list('standings/')).toHaveLength(1);
});

test('given an action between two nights, then it is visible at once, and the next record includes it', async () => {
  const home = await newHome();
  await nights(home, [[FAILED]]);
  const jail = { action: 'jail', owner: 'ada', until: timeOf(9), reason: 'known' } as const;
  await keepAction(storeIn(home), CHAIN, { slipway: 1, test: 'many_nodes', by: 'ada', at: timeOf(1), ...jail });
  expect((await readStandings(storeIn(home), CHAIN))!.tests['many_nodes']!.state).toBe('jailed');
  expect((await readChain(storeIn(home), CHAIN)).last!.tests['many_nodes']!.state).toBe('failing');
  expect(await nights(home, [[FAILED]], 2)).toEqual(['jailed']);
  expect((await readChain(storeIn(home), CHAIN)).actions).toEqual([]);
});

test('given a malformed record, then it is refused by name', async () => {
  const home = await newHome();
  await storeIn(home).create(records.standings(CHAIN, 1), { slipway: 1, tests: [] });
  await expect(readStandings(storeIn(home), CHAIN)).rejects.toMatchObject({
    first: { code: 'STANDINGS_MALFORMED', message: expect.stringContaining('standings/night/local/master/000001') },
  });
});

/** Eight nights end at once. */
async function allAtOnce(store: () => Store): Promise<void> {
  const home = await newHome();
  const days = Array.from({ length: 8 }, (_, at) => at + 1);
  await Promise.all(days.map((day) => aNightRan({ home, day, left: new Map([[test1, [{}]]]), store: store() })));
  const { last, no } = await readChain(store(), CHAIN);
  expect(no).toBe(8);
  expect(new Set(last!.nights.map(({ run }) => run)).size).toBe(8);
  expect(last!.nights.map((night) => night.no)).toEqual(days);
  expect(last!.tests['many_nodes']!.letters).toBe('PPPPPPPP');
}

test('given nights in a folder store that end at the same time, then each counts once, in one order', async () => {
  const home = await newHome();
  await allAtOnce(() => storeIn(home));
});

withS3('standings in a bucket', () => {
  it('given nights in an S3 store that end at the same time, then each counts once, in one order', async () => {
    const server = await aServer();
    try {
      await allAtOnce(() => createS3Store(server.settings, server.folder));
    } finally {
      await server.remove();
    }
  });
});
