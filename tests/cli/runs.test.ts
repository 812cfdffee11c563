import { Readable } from 'node:stream';
import { runs } from '../../src/cli/commands/runs.js';
import { status } from '../../src/cli/commands/status.js';
import type { Recent, ReleaseClient } from '../../src/client/index.js';
import type { SlipwayFailure } from '../../src/model/failure.js';
import { SUPERSEDED } from '../../src/model/messages.js';
import { records } from '../../src/model/run-folder.js';
import { aPlan } from '../support/run-body.js';
import { inTheMiddle, rehearsed } from './a-run.js';
import { fakeClient, fakeIo, fakePorts, fakeStore } from './fake-ports.js';

const NOW = 10_000_000;
beforeEach(() => void jest.useFakeTimers({ now: NOW }));
afterEach(() => void jest.useRealTimers());

const KNOWN: readonly Recent[] = [
  {
    ...{ workflowId: 'rehearsal/skiff/1.1', run: 'aa1', startedAt: NOW - 60_000, endedAt: NOW - 30_000 },
    ...{ open: false, verdict: 'failed', state: 'ended' },
  },
  { workflowId: 'release/skiff/1.0', run: 'bb2', startedAt: NOW - 90_000, open: true, state: 'held', held: 2 },
  { workflowId: 'pipeline/night/n1', run: 'cc3', startedAt: NOW - 120_000, open: true, state: 'at gate', held: 0 },
  { workflowId: 'pipeline/night/n2', run: 'dd4', startedAt: NOW - 150_000, open: true, state: 'running', held: 0 },
  { workflowId: 'pipeline/night/n3', run: 'ee5', startedAt: NOW - 180_000, open: true },
  { workflowId: 'pipeline/night/n4', run: 'ff6', startedAt: NOW - 210_000, open: true, state: 'waiting', held: 0 },
];
const client = (known = KNOWN): ReleaseClient => ({ ...fakeClient([]), runs: async (limit) => known.slice(0, limit) });

async function typed(name?: string, options = {}, known = KNOWN): Promise<readonly string[]> {
  const io = fakeIo();
  expect(await runs.run({ args: { name }, options }, io, fakePorts({ client: client(known) }))).toBe(0);
  return [...io.printed, ...io.chatter].join('\n').split('\n');
}
const many = (count: number): readonly Recent[] =>
  Array.from({ length: count }, (_, at) => ({ ...KNOWN[at === count - 1 ? 1 : 0]!, startedAt: NOW - at }));

test('given open runs and one that ended, then open ones are first, with what they wait for', async () => {
  const [head, ...lines] = await typed();
  expect(head).toBe('RUN                  STATE     WAITS FOR                COMMIT  AGE         TOOK    RUN ID');
  expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
    ['release/skiff/1.0', 'held', 'an action: 2 steps held', '-', '1 min 30 s', '-', 'bb2'],
    ['pipeline/night/n1', 'at gate', 'approvals', '-', '2 min 00 s', '-', 'cc3'],
    ['pipeline/night/n2', 'running', '-', '-', '2 min 30 s', '-', 'dd4'],
    ['pipeline/night/n3', 'planning', '-', '-', '3 min 00 s', '-', 'ee5'],
    ['pipeline/night/n4', 'waiting', 'a worker or a service', '-', '3 min 30 s', '-', 'ff6'],
    ['rehearsal/skiff/1.1', 'failed', '-', '-', '1 min 00 s', '30.0 s', 'aa1'],
  ]);
});

test('given a cancelled run that still sends its messages, then its verdict and its time are known already', async () => {
  const one: Recent = { ...KNOWN[1]!, workflowId: 'release/skiff/1.2.0', state: 'ended', held: 0 };
  const last = { ...rehearsed(), endedAt: NOW - 5000, verdict: { verdict: 'cancelled' as const, reasons: [] } };
  const rows = async (answer: ReleaseClient['status']) => {
    const io = fakeIo();
    await runs.run({ args: {}, options: {} }, io, fakePorts({ client: { ...client([one]), status: answer } }));
    return io.printed[0]!.split('\n')[1]!.split(/ {2,}/).slice(1, 6);
  };
  expect(await rows(async () => last)).toEqual(['cancelled', '-', '-', '1 min 30 s', '1 min 25 s']);
  expect(await rows(() => Promise.reject(new Error('no worker')))).toEqual(['ended', '-', '-', '1 min 30 s', '-']);
});

test('given a store that knows the runs, then each has its commit, and one that another run replaced says so', async () => {
  const cancelled = (run: string): Recent => ({ ...KNOWN[0]!, run, verdict: 'cancelled' });
  const plan = {
    ...aPlan(),
    source: { kind: 'git', commit: '0123456789abcdef0123456789abcdef01234567', branch: null },
  };
  const last = (reason: string) => ({ ...rehearsed(), verdict: { verdict: 'cancelled', reasons: [reason] } });
  const store = {
    ...fakeStore({
      [records.started('r1')]: { run: 'r1', plan: `sha256:${'ab'.repeat(32)}` },
      [records.status('r1')]: last(`${SUPERSEDED} (kim)`),
      [records.status('r2')]: last('wrong tag (kim)'),
    }),
    has: async () => true,
    get: async () => Readable.from([Buffer.from(JSON.stringify(plan))]),
  };
  const io = fakeIo();
  const ports = fakePorts({ client: client([cancelled('r1'), cancelled('r2')]), store });
  await runs.run({ args: {}, options: {} }, io, ports);
  const rows = io.printed[0]!.split('\n').map((line) => line.split(/ {2,}/));
  expect(rows.slice(1).map(([, state, , commit]) => [state, commit])).toEqual([
    ['superseded', '0123456789ab'],
    ['cancelled', '-'],
  ]);
});

test('given a store that does not answer, then the runs are listed all the same', async () => {
  const io = fakeIo();
  const ports = { ...fakePorts({ client: client() }), store: () => Promise.reject(new Error('down')) };
  expect(await runs.run({ args: {}, options: {} }, io, ports)).toBe(0);
  expect(io.printed[0]!.split('\n')).toHaveLength(KNOWN.length + 1);
});

test('given a name, then only its runs are listed; as JSON each is a line', async () => {
  const lines = await typed('skiff', { json: true });
  expect(lines.map((line) => (JSON.parse(line) as Recent).run)).toEqual(['bb2', 'aa1']);
});

test('given a name that another run’s id begins with, then only runs of this name are meant', async () => {
  const named = { ...KNOWN[1]!, workflowId: 'release/fab/1.0', run: 'aa9' };
  const foreign = { ...KNOWN[1]!, workflowId: 'release/other/2.0', run: 'fab01234' };
  const runsOf = async (name: string): Promise<readonly string[]> =>
    (await typed(name, { json: true }, [foreign, named])).map((line) => (JSON.parse(line) as Recent).run);
  expect(await runsOf('fab')).toEqual(['aa9']);
  expect(await runsOf('fab0')).toEqual(['fab01234']);
});

test('given a name without runs, then the error names the command that lists them', async () => {
  await expect(typed('scow')).rejects.toMatchObject({
    problems: [{ code: 'UNKNOWN_RUN', next: expect.stringContaining('`slipway runs`') as string }],
  } satisfies Partial<Record<keyof SlipwayFailure, unknown>>);
});

test('given no run, then it says so', async () => {
  expect(await typed(undefined, {}, [])).toEqual(['There is no run yet. `slipway run` starts one.']);
});

test.each([
  [{}, 20, '280 more: `slipway runs --limit 300` lists them.'],
  [{ limit: '250' }, 250, '50 more: `slipway runs --limit 300` lists them.'],
  [{ limit: '300' }, 300, undefined],
])(
  'given 300 runs and the options %j, then %d are listed, the open one first, and %s',
  async (options, shown, more) => {
    const [, first, ...rest] = await typed(undefined, options, many(300));
    expect(first).toMatch(/ held /);
    expect(rest.filter((line) => line.startsWith('rehearsal/'))).toHaveLength(shown - 1);
    expect(rest[shown - 1]).toBe(more);
  },
);

test('given more runs than it looks through, then it says that there may be others', async () => {
  expect((await typed(undefined, {}, many(10_050))).at(-1)).toMatch(/^At least 9981 more: /);
});

test.each(['0', '-1', 'many', '1e3', '99999999'])('given --limit %s, then it says what to write', async (limit) => {
  await expect(typed(undefined, { limit })).rejects.toMatchObject({ problems: [{ code: 'NOT_A_COUNT' }] });
});

test('given a name alone, then status means its newest run', async () => {
  jest.useRealTimers();
  const io = fakeIo();
  const ports = fakePorts({ client: fakeClient([[inTheMiddle()], [rehearsed()]]) });
  await status.run({ args: { run: 'skiff' }, options: { json: true } }, io, ports);
  expect(JSON.parse(io.printed.join('\n'))).toMatchObject({ status: { workflowId: inTheMiddle().workflowId } });
});
