import { waitSentences } from '../../src/engine/outages/sentences.js';
import { Scheduler } from '../../src/engine/run/scheduler.js';
import type { Input } from '../../src/engine/run/inputs.js';
import type { Skeleton } from '../../src/model/plan.js';
import { aSkeleton } from './a-skeleton.js';

const HOUR = 3_600_000;
const start = (over: Partial<Skeleton> = {}): Scheduler =>
  new Scheduler(
    aSkeleton(
      [
        { id: 'a', on: 'gpu', waitMs: HOUR },
        { id: 'b', on: 'gpu', needs: [0], waitMs: HOUR },
        { id: 'c', on: 'gpu' },
        { id: 'd' },
        { id: 'report', after: [0, 1, 2, 3] },
      ],
      { windows: { gpu: 1, control: 5 }, ...over },
    ),
    { nowMs: 0, random: () => 0 },
  );

/** Applies an input with the next number and answers the commands that follow. */
const apply = (scheduler: Scheduler, input: Input) => {
  scheduler.apply({ ...input, no: scheduler.lastApplied + 1 });
  return scheduler.next();
};
const gone = (atMs: number): Input => ({ what: 'fleet', unserved: [{ queue: 'gpu', since: atMs }], atMs });
const back = (atMs: number): Input => ({ what: 'fleet', unserved: [], atMs });
const done = (step: number, atMs: number): Input => ({
  ...{ what: 'ended', step, attempt: 1, atMs },
  ending: { outcome: 'done', ms: 1, note: '' },
});
const statesOf = (scheduler: Scheduler) => scheduler.status().map(({ state }) => state);

test('given a queue without workers, when its steps are due, then they are started and shown as waiting', () => {
  const scheduler = start({ unserved: [{ queue: 'gpu', since: 0 }] });
  const begun = scheduler.next().flatMap((command) => (command.do === 'start' ? [command.step] : []));
  expect(begun.sort()).toEqual([0, 3]);
  expect(statesOf(scheduler)).toEqual(['waiting', 'waiting', 'waiting', 'running', 'waiting']);
  expect(scheduler.waiting()).toEqual([expect.objectContaining({ queue: 'gpu', since: 0, steps: 2, until: HOUR })]);
  expect(waitSentences(scheduler.waiting()[0]!, null)).toEqual([
    'waits for a worker of the queue gpu since 1970-01-01T00:00:00Z: 2 steps, and the first fails at 1970-01-01T01:00:00Z',
    expect.stringContaining('slipway worker start --queues gpu'),
  ]);
});

test('given a queue without workers, when it is served again, then the wait is no longer reported and its steps run', () => {
  const scheduler = start();
  scheduler.next();
  expect(apply(scheduler, gone(5))).toEqual([
    { do: 'wakeAt', atMs: HOUR + 5, inMs: HOUR, summary: 'the time limit of a wait for workers' },
  ]);
  expect(scheduler.status()[0]).toMatchObject({ state: 'waiting', because: 'nobody serves gpu' });
  expect(apply(scheduler, back(6))).toEqual([{ do: 'wakeAt', atMs: null, inMs: null }]);
  expect(scheduler.waiting()).toEqual([]);
  expect(scheduler.status()[0]).toMatchObject({ state: 'running', attempt: 1 });
});

test('when the wait for workers exceeds its limit, then waiting steps are aborted and fail; steps without a limit wait on', () => {
  const scheduler = start({ unserved: [{ queue: 'gpu', since: 0 }] });
  scheduler.next();
  apply(scheduler, done(3, 10));
  expect(apply(scheduler, { what: 'wake', atMs: HOUR })).toContainEqual({ do: 'abort', step: 0 });
  const cancelled = { code: 'STEP_STOPPED', class: 'cancelled', message: 'stopped', next: '' } as const;
  const ending = { outcome: 'failed', problems: [cancelled] } as const;
  apply(scheduler, { what: 'ended', step: 0, attempt: 1, ending, atMs: HOUR + 1 });
  expect(statesOf(scheduler)).toEqual(['failed', 'skipped', 'waiting', 'done', 'waiting']);
  expect(scheduler.status()[0]!.problems).toMatchObject([{ code: 'NOBODY_CAME' }]);
  expect(scheduler.waiting()).toEqual([expect.not.objectContaining({ until: expect.anything() })]);
});

test('given a queue without workers, when a step becomes ready late, then its wait limit counts from that moment', () => {
  const scheduler = start();
  scheduler.next();
  apply(scheduler, done(0, HOUR));
  apply(scheduler, gone(2 * HOUR));
  expect(scheduler.waiting()).toMatchObject([{ steps: 2, until: 3 * HOUR }]);
});

test('given an unserved queue without open steps, then it is not reported as waiting', () => {
  const scheduler = start();
  scheduler.next();
  for (const step of [0, 1, 2]) apply(scheduler, done(step, step));
  apply(scheduler, gone(5));
  expect(scheduler.waiting()).toEqual([]);
});

test('given a step that waits for workers, when the run is cancelled, then the run ends and leaves no step open', () => {
  const scheduler = start({ unserved: [{ queue: 'gpu', since: 0 }] });
  scheduler.next();
  expect(apply(scheduler, { what: 'cancel', reason: 'no', atMs: 1 })).toContainEqual({ do: 'abort', step: 0 });
  expect(statesOf(scheduler).slice(0, 3)).toEqual(['waiting', 'cancelled', 'cancelled']);
});

test('given a step that waits for workers, when the run is paused and resumed, then its wait limit starts again', () => {
  const scheduler = start({ unserved: [{ queue: 'gpu', since: 0 }] });
  scheduler.next();
  const say = (action: 'pause' | 'resume', atMs: number) =>
    apply(scheduler, { what: 'action', action: { action }, atMs }).filter((command) => command.do === 'wakeAt');
  expect(say('pause', 1)).toEqual([{ do: 'wakeAt', atMs: null, inMs: null }]);
  expect(apply(scheduler, { what: 'wake', atMs: 3 * HOUR })).toEqual([]);
  expect(say('resume', 4 * HOUR)).toMatchObject([{ do: 'wakeAt', atMs: 5 * HOUR, inMs: HOUR }]);
  expect(apply(scheduler, { what: 'wake', atMs: 5 * HOUR })).toContainEqual({ do: 'abort', step: 0 });
});

test('given a step that became ready after its queue was lost, then its wait limit counts from when it was ready', () => {
  const steps = [{ id: 'first' }, { id: 'later', on: 'gpu', needs: [0], waitMs: HOUR }];
  const scheduler = new Scheduler(aSkeleton(steps), { nowMs: 0, random: () => 0 });
  scheduler.next();
  apply(scheduler, gone(0));
  apply(scheduler, done(0, HOUR - 1));
  apply(scheduler, { what: 'wake', atMs: HOUR + 1 });
  expect(statesOf(scheduler)).toEqual(['done', 'waiting']);
  expect(scheduler.waiting()).toMatchObject([{ queue: 'gpu', until: 2 * HOUR - 1 }]);
  expect(apply(scheduler, { what: 'wake', atMs: 2 * HOUR - 1 })).toContainEqual({ do: 'abort', step: 1 });
});
