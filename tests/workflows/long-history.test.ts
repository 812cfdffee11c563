import { watchHistory } from '../../src/workflows/long-history.js';

interface Asked {
  readonly bytesEach: number;
  readonly wanted: number;
}
interface Reached {
  readonly task: number;
  readonly events: number;
}

/** Asks after each workflow task, until the history is long. Returns the task and the events of then. */
function firstLong(eventsEach: number, { bytesEach = 100, wanted }: Partial<Asked> = {}): Reached {
  let task = 0;
  const length = (): { historyLength: number; historySize: number } => ({
    historyLength: task * eventsEach,
    historySize: task * bytesEach,
  });
  const isLong = watchHistory(wanted, length);
  do {
    task++;
    isLong(); // a task may have several turns
  } while (!isLong());
  return { task, events: task * eventsEach };
}

test('given many steps in each workflow task, when it has 30,000 events, then the history is long', () => {
  expect(firstLong(40)).toEqual({ task: 751, events: 30_040 });
});

test('given one step in each workflow task, when it has 2,000 tasks, then the history is long at every check', () => {
  expect(firstLong(6)).toEqual({ task: 2001, events: 12_006 });
});

test('given much output, when it has 25 MB, then the history is long', () => {
  expect(firstLong(6, { bytesEach: 1_000_000 }).task).toBe(26);
});

test('given a test limit below the events of a start, then the history still gets past its start', () => {
  expect(firstLong(6, { wanted: 1 }).events).toBe(66);
});
