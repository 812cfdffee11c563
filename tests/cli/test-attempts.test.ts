import { attemptLines } from '../../src/cli/screens/test-attempts.js';
import { attemptsOf } from '../../src/cli/tests/test-attempts.js';
import { colours } from '../../src/cli/render/paint.js';
import type { RunStatus } from '../../src/model/messages.js';
import { records } from '../../src/model/run-folder.js';
import type { Outcome } from '../../src/model/tests/outcome.js';
import { aFailure, anOutcome } from '../model/tests/an-outcome.js';
import { fakeStore } from './fake-ports.js';

const paint = colours(false);
const NIGHT: readonly (readonly [test: string, outcome: Outcome])[] = [
  ['many_nodes', aFailure({ code: 'NODES_MISSING', class: 'infra', exit: null })],
  ['many_nodes', anOutcome({ attempt: 2 })],
  ['once', anOutcome({ step: 'tests/once', title: 'once' })],
  ['fails', aFailure({ step: 'tests/fails', title: 'fails' })],
  ['killed', anOutcome({ step: 'tests/killed', nodes: { seen: 3, lost: [{ node: '10.0.0.4', atMs: 41_000 }] } })],
];

const aStore = () =>
  fakeStore(
    Object.fromEntries(
      NIGHT.map(([test, one]) => [records.outcome('night', 'run-1', test, one.repeat, one.attempt), one]),
    ),
  );
const statusOf = (kind: string, attempt: number): RunStatus =>
  ({ name: 'night', run: 'run-1', steps: [{ id: 'tests/many_nodes', kind, state: 'done', attempt }] }) as never;

test('given cluster tests, then a status has each attempt with its code, and no output of it', async () => {
  const attempts = await attemptsOf(statusOf('runOnCluster', 2), aStore());
  expect(attempts.map(({ step, attempt, code }) => `${step} ${attempt} ${code}`)).toEqual([
    'tests/fails 1 TEST_FAILED',
    'tests/killed 1 null',
    'tests/many_nodes 1 NODES_MISSING',
    'tests/many_nodes 2 null',
    'tests/once 1 null',
  ]);
  expect(JSON.stringify(attempts)).not.toContain('lastLogs');
});

test.each([
  ['no cluster test', 'runCommand', 1],
  ['no cluster test that began', 'runOnCluster', 0],
])('given a run with %s, then no record is asked for', async (_, kind, attempt) => {
  const store = aStore();
  const list = () => Promise.reject(new Error('asked'));
  expect(await attemptsOf(statusOf(kind, attempt), { ...store, list })).toEqual([]);
});

test('given tests with further attempts or lost nodes, then the screen shows these alone', async () => {
  const attempts = await attemptsOf(statusOf('runOnCluster', 2), aStore());
  expect(attemptLines(attempts, paint)).toEqual([
    '',
    'Attempts of tests',
    '  tests/killed      attempt 1  passed                 lost 10.0.0.4 after 41.0 s',
    '  tests/many_nodes  attempt 1  NODES_MISSING (infra)',
    '  tests/many_nodes  attempt 2  passed',
  ]);
  expect(attemptLines([], paint)).toEqual([]);
});

test('given hundreds of such attempts, then the screen counts the rest', () => {
  const many = Array.from({ length: 200 }, (_, at) => anOutcome({ step: `tests/t${at}`, attempt: 2 }));
  const lines = attemptLines(many, paint);
  expect(lines).toHaveLength(27);
  expect(lines.at(-1)).toBe('  and 176 more: slipway status --json');
});
