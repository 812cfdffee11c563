import { aProblem, aSkeleton, type Rough } from './a-skeleton.js';
import { Driven } from './drive.js';

const run = (...steps: readonly Rough[]) => new Driven(aSkeleton(steps));

test('given a chain of steps, then they run one after another and the run is released', () => {
  const it = run({ id: 'a' }, { id: 'b', needs: [0] }, { id: 'c', wants: [1] });
  expect(it.next()).toEqual(['start a']);
  expect(it.done('a')).toEqual(['start b']);
  expect(it.done('b', 'cached')).toEqual(['start c']);
  expect(it.done('c')).toEqual(['end released']);
  expect(it.scheduler.status().map(({ state, ms, note }) => [state, ms, note])).toEqual([
    ['done', 7, 'made'],
    ['cached', 7, 'made'],
    ['done', 7, 'made'],
  ]);
});

test('given a rehearsal profile and no steps, then the run ends rehearsed at once', () => {
  expect(new Driven(aSkeleton([], { rehearsal: true })).next()).toEqual(['end rehearsed']);
});

test.each([
  ['needs', { needs: [0] }, 'skipped'],
  ['wants', { wants: [0] }, 'skipped'],
  ['after', { after: [0] }, 'running'],
] as const)(
  'given a failed step, then a step that %s it is skipped, unless it only runs after it',
  (_edge, edges, state) => {
    const it = run({ id: 'a' }, { id: 'b', ...edges });
    it.next();
    it.failed('a', 'product');
    expect(it.states()).toEqual({ a: 'failed', b: state });
  },
);

test('given a skipped step, then it names the failed step behind it at any distance, and other steps go on', () => {
  const it = run(
    { id: 'source' },
    { id: 'wheel', needs: [0] },
    { id: 'seal', wants: [1] },
    { id: 'jar' },
    { id: 'report', after: [2, 3] },
  );
  expect(it.next()).toEqual(['start source', 'start jar']);
  expect(it.failed('source', 'product')).toEqual([]);
  expect(it.scheduler.status()[2]).toMatchObject({ state: 'skipped', because: 'source failed' });
  expect(it.done('jar')).toEqual(['start report']);
  expect(it.done('report')).toEqual(['end failed']);
  expect(it.scheduler.ended?.reasons).toEqual(['source: make exited with 2']);
});

test('given a dropped variant, then the status shows it, and the run is released without it', () => {
  const it = new Driven(aSkeleton([{ id: 'a' }], { dropped: [{ id: 'a/mac', because: 'no macOS' }] }));
  it.next();
  expect(it.done('a')).toEqual(['end released']);
  expect(it.states()).toEqual({ a: 'done', 'a/mac': 'dropped' });
});

test('given a window for each queue, then the step with the longest remaining path starts first', () => {
  const it = new Driven(
    aSkeleton(
      [
        { id: 'short', on: 'linux' },
        { id: 'long', on: 'linux' },
        { id: 'other', on: 'control' },
        { id: 'end', on: 'linux', needs: [1] },
      ],
      { windows: { linux: 1 } },
    ),
  );
  expect(it.next()).toEqual(['start long', 'start other']);
  expect(it.done('long')).toEqual(['start short']);
  expect(it.done('short')).toEqual(['start end']);
});

test('when a step fails with infra, then it is retried with jitter within its budget, by one shared timer', () => {
  const it = run({ id: 'a' }, { id: 'b' });
  it.next();
  expect(it.failed('a', 'infra')).toEqual(['wake 500']);
  expect(it.scheduler.status()[0]).toMatchObject({ state: 'backing off', because: 'infra: try again 1 of 2' });
  expect(it.failed('b', 'infra')).toEqual([]);
  expect(it.wake()).toEqual(['start a', 'start b']);
  expect(it.failed('a', 'infra')).toEqual(['wake 1000']);
  expect(it.done('b')).toEqual([]);
  expect(it.wake()).toEqual(['start a']);
  expect(it.failed('a', 'infra')).toEqual(['end failed']);
  expect(it.scheduler.status()[0]).toMatchObject({ attempt: 3, state: 'failed' });
});

test('given steps in back-off, then the timer says which step is tried again first, and why', () => {
  const { scheduler } = run({ id: 'a' }, { id: 'b' });
  scheduler.next();
  const problems = [aProblem({ class: 'infra' })];
  for (const step of [0, 1])
    scheduler.apply({
      what: 'ended',
      step,
      attempt: 1,
      ending: { outcome: 'failed', problems },
      atMs: 5 - step,
      no: step + 1,
    });
  expect(scheduler.next()).toMatchObject([{ do: 'wakeAt', summary: 'a: infra: try again 1 of 2' }]);
});

test('when a wake-up comes too early, then the timer is set again', () => {
  const it = run({ id: 'a' });
  it.next();
  it.failed('a', 'infra');
  expect(it.say({ what: 'wake', atMs: it.atMs + 1 })).toEqual(['wake 500']);
});

test('when a worker is lost, then the step starts again at once', () => {
  const it = run({ id: 'a' });
  it.next();
  expect(it.failed('a', 'lost')).toEqual(['start a']);
  expect(it.done('a')).toEqual(['end released']);
});

test('when a step is stopped in a run that is not cancelled, then it counts as a lost worker and starts again', () => {
  const it = run({ id: 'a' });
  it.next();
  expect(it.failed('a', 'cancelled')).toEqual(['start a']);
});

test.each(['product', 'config', 'denied', 'conflict', 'bug'] as const)(
  'given a failure of class %s, then the step is not retried',
  (kind) => {
    const it = run({ id: 'a' });
    it.next();
    expect(it.failed('a', kind)).toEqual(['end failed']);
  },
);

test('when a step meets a conflict, then publishing stops, verifying goes on, and the reason asks for reconciliation', () => {
  const it = run(
    { id: 'wheels', kind: 'publishArtifacts' },
    { id: 'jars', kind: 'publishArtifacts', after: [3] },
    { id: 'latest', kind: 'movePointer', after: [3] },
    { id: 'build' },
    { id: 'test', needs: [3] },
  );
  expect(it.next()).toEqual(['start build', 'start wheels']);
  it.failed('wheels', 'conflict');
  expect(it.done('build')).toEqual(['start test']);
  expect(it.done('test')).toEqual(['end failed']);
  expect(it.states()).toMatchObject({ jars: 'skipped', latest: 'skipped', test: 'done' });
  expect(it.scheduler.ended?.reasons[0]).toBe('needs reconciliation');
});

test('when the run is cancelled, then running steps are stopped, only reports start, and the verdict is cancelled', () => {
  const it = run(
    { id: 'build' },
    { id: 'test', needs: [0] },
    { id: 'seal', wants: [0, 1], after: [1] },
    { id: 'report', after: [0, 1, 2] },
  );
  it.next();
  expect(it.cancel()).toEqual(['abort build']);
  expect(it.cancel('again')).toEqual([]);
  expect(it.failed('build', 'cancelled')).toEqual(['start report']);
  expect(it.done('report')).toEqual(['end cancelled']);
  expect(it.states()).toEqual({ build: 'cancelled', test: 'cancelled', seal: 'cancelled', report: 'done' });
  expect(it.scheduler.ended?.reasons).toEqual(['not today']);
});

test('given a step that backs off, when the run is cancelled, then the step and its timer end at once', () => {
  const it = run({ id: 'a' }, { id: 'b' });
  it.next();
  it.failed('a', 'infra');
  expect(it.cancel()).toEqual(['abort b', 'wake never']);
  expect(it.failed('b', 'infra')).toEqual(['end cancelled']);
});

test('given a run whose steps are done, when a cancel arrives, then the run is still released', () => {
  const it = run({ id: 'a' }, { id: 'report', after: [0] });
  it.next();
  it.done('a');
  expect(it.cancel()).toEqual([]);
  expect(it.done('report')).toEqual(['end released']);
});

test('given an input that was already applied, or for another attempt, then it is ignored', () => {
  const it = run({ id: 'a' });
  it.next();
  const ending = { outcome: 'done', ms: 1, note: '' } as const;
  it.scheduler.apply({ what: 'ended', step: 0, attempt: 9, ending, atMs: 0, no: 1 });
  it.scheduler.apply({ what: 'ended', step: 0, attempt: 1, ending, atMs: 0, no: 1 });
  expect(it.next()).toEqual([]);
  it.scheduler.apply({ what: 'ended', step: 0, attempt: 1, ending, atMs: 0, no: 2 });
  expect(it.next()).toEqual(['end released']);
});

test('given a plan with a cycle or a missing edge, then it is refused', () => {
  expect(() => run({ id: 'a', needs: [1] }, { id: 'b', after: [0] })).toThrow('PLAN_HAS_CYCLE: a waits for itself');
  expect(() => run({ id: 'a', needs: [7] })).toThrow('PLAN_HAS_LOOSE_EDGE: a waits for step number 7');
});

test('given a chain of 20,000 steps, when its first step fails, then the stack is not exhausted', () => {
  const steps = Array.from({ length: 20_000 }, (_, index) => ({
    id: `s${index}`,
    needs: index === 0 ? [] : [index - 1],
  }));
  const it = new Driven(aSkeleton(steps));
  it.next();
  expect(it.failed('s0', 'bug')).toEqual(['end failed']);
});
