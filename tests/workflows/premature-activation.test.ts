import { interceptors } from '../../src/workflows/premature-activation.js';

const [guard] = interceptors().internals!;
type Activation = Parameters<NonNullable<NonNullable<typeof guard>['activate']>>[0]['activation'];
type Job = NonNullable<Activation['jobs']>[number];

const STEP: Job = { resolveActivity: { seq: 1 } };
const SIGNAL: Job = { signalWorkflow: { signalName: 'note' } };
const UPDATE: Job = { doUpdate: { name: 'note' } };
const QUERY: Job = { queryWorkflow: { queryId: 'legacy_query' } };

/** An activation: the event where it ends, the start that the SDK gives it, and its jobs. It writes `commands` events. */
type Row = readonly [end: number, startedAt: number, jobs: readonly Job[], commands?: number];

/** Which of these activations the server refuses. */
function refused(rows: readonly Row[]): readonly number[] {
  const one = interceptors().internals![0]!;
  return rows.flatMap(([historyLength, startedAt, jobs, commands = 0], at) => {
    const activation = { historyLength, jobs, timestamp: { nanos: startedAt }, historySizeBytes: startedAt };
    one.activate!({ activation, batchIndex: 0 } as never, () => undefined);
    const told = Array.from({ length: commands }, () => ({ startTimer: {} }));
    let isRefused = false;
    one.concludeActivation!({ commands: told } as never, ({ commands: left }) => {
      isRefused = left.some(({ scheduleActivity }) => scheduleActivity?.activityId === 'ahead-of-history');
      return { commands: left };
    });
    return isRefused ? [at] : [];
  });
}

// A workflow task ends at its start: event 4, 9, … Two commands, a step's two events and the three of a task make seven more.
const FIRST: Row = [4, 4, [SIGNAL], 2];

test.each<[string, readonly Row[], readonly number[]]>([
  ['tasks follow each other', [FIRST, [11, 11, [STEP]], [14, 14, []]], []],
  ['a query stands between two tasks', [FIRST, [4, 4, [QUERY]], [11, 11, [STEP]]], []],
  [
    'a query stands between a full task and the next one',
    [FIRST, [11, 11, [STEP], 1], [11, 11, [QUERY]], [16, 16, [SIGNAL]]],
    [],
  ],
  ['a task has two activations', [FIRST, [4, 4, [STEP]]], []],
  ['a query brought an event', [FIRST, [9, 4, [STEP]], [9, 4, [QUERY]], [11, 11, [SIGNAL]]], [1]],
  [
    'a query brought an event and a task that failed',
    [FIRST, [13, 10, [STEP, SIGNAL], 1], [13, 10, [QUERY]], [14, 14, [UPDATE]]],
    [3],
  ],
  [
    'the same, and the next task brings many events',
    [FIRST, [13, 10, [STEP, SIGNAL], 1], [13, 10, [QUERY]], [24, 24, Array<Job>(9).fill(SIGNAL)]],
    [3],
  ],
  ['a task failed before a full one, without a query', [FIRST, [15, 15, [STEP, SIGNAL]], [19, 19, [SIGNAL]]], []],
  ['an update was refused', [FIRST, [9, 9, [UPDATE]], [9, 9, [QUERY]], [11, 11, [STEP]]], []],
])('given that %s, then the server refuses what ran ahead of the history, and nothing else', (_, rows, expected) => {
  expect(refused(rows)).toEqual(expected);
});

test('given a run as one was found, when a query brings the events of a failed task, then the next task is refused', () => {
  const signals = Array<Job>(5).fill(SIGNAL);
  const task: Row = [474, 474, [UPDATE], 2];
  expect(
    refused([
      task,
      [490, 482, [...signals, STEP, STEP], 1],
      [490, 482, [QUERY]],
      [491, 491, Array<Job>(5).fill(UPDATE)],
    ]),
  ).toEqual([3]);
});
