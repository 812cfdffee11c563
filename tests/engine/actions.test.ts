import { aSkeleton, RETRY, type Rough } from './a-skeleton.js';
import { Driven, type PlainAction } from './drive.js';

const holding = (steps: readonly Rough[]): Driven => new Driven(aSkeleton(steps), { onFailure: 'hold' });

/** source → a, b → seal (wants both) → publish; report waits for all. */
const release = (): Driven => {
  const driven = holding([
    { id: 'source' },
    { id: 'a', needs: [0] },
    { id: 'b', needs: [0] },
    { id: 'test-a', needs: [1] },
    { id: 'seal', wants: [1, 2, 3] },
    { id: 'publish', kind: 'publishArtifacts', needs: [4] },
    { id: 'report', after: [5] },
  ]);
  driven.next();
  driven.done('source');
  return driven;
};

test('when a step fails for good, then it is held, independent steps go on, and the run stays open', () => {
  const driven = release();
  expect(driven.failed('a', 'product')).toEqual([]);
  driven.done('b');
  expect(driven.states()).toMatchObject({ a: 'held', b: 'done', 'test-a': 'waiting', seal: 'waiting' });
  expect([driven.scheduler.held, driven.scheduler.still, driven.scheduler.ended]).toEqual([1, true, null]);
});

test('given a held step, when an operator retries it, then it has a new retry budget and the run is released', () => {
  const driven = release();
  driven.done('b');
  driven.failed('a', 'product');
  expect(driven.action({ action: 'retry', step: 'a', by: 'kim' })).toEqual(['a is tried again', 'start a']);
  driven.done('a');
  for (const id of ['test-a', 'seal', 'publish']) driven.done(id);
  expect(driven.done('report')).toEqual(['end released']);
});

test('given a step that waited for an action, when its time is measured, then the wait is not included', () => {
  const driven = release();
  driven.failed('a', 'product');
  driven.atMs += 3_600_000;
  driven.action({ action: 'retry', step: 'a' });
  driven.failed('a', 'product');
  expect(driven.scheduler.status().find(({ id }) => id === 'a')).toMatchObject({ state: 'held', attempt: 2, ms: 100 });
});

test('when an operator retries without a step, then all held steps are retried', () => {
  const driven = release();
  driven.failed('a', 'config');
  driven.failed('b', 'denied');
  expect(driven.action({ action: 'retry' })).toEqual(['2 held steps are tried again', 'start a', 'start b']);
});

test('when a step is skipped, then steps that need it are skipped with the reason, and steps that want it run', () => {
  const driven = release();
  driven.done('b');
  driven.failed('a', 'product');
  expect(driven.action({ action: 'skip', step: 'a', reason: 'no macOS today', by: 'kim' })).toEqual([
    'a is left out',
    'start seal',
  ]);
  expect(driven.scheduler.status().find(({ id }) => id === 'test-a')).toMatchObject({
    state: 'skipped',
    because: 'needs a, which was left out: no macOS today (kim)',
  });
  driven.done('seal');
  driven.done('publish');
  expect(driven.done('report')).toEqual(['end released']);
  expect(driven.scheduler.ended!.reasons).toEqual([
    'a was left out: no macOS today (kim)',
    'test-a was left out: needs a, which was left out: no macOS today (kim)',
  ]);
});

test('given 101 skipped steps, when the run ends, then its reasons list the first and count the rest', () => {
  const driven = holding([
    { id: 'a' },
    { id: 'b' },
    ...Array.from({ length: 100 }, (_, n) => ({ id: `w${n}`, needs: [0] })),
  ]);
  driven.next();
  driven.failed('a', 'product');
  driven.action({ action: 'skip', step: 'a', reason: 'x'.repeat(2000) });
  expect(driven.done('b')).toEqual(['end released']);
  const { reasons } = driven.scheduler.ended!;
  expect([reasons.length, reasons.at(-1)]).toEqual([21, '81 more steps were left out']);
});

test('when every publishing step is skipped, then the run has failed', () => {
  const driven = release();
  for (const id of ['a', 'b', 'test-a']) driven.done(id);
  driven.failed('seal', 'product');
  expect(driven.action({ action: 'skip', step: 'seal', reason: 'no time' })).toEqual([
    'seal is left out',
    'start report',
  ]);
  expect(driven.done('report')).toEqual(['end failed']);
  expect(driven.scheduler.ended!.reasons).toEqual([
    expect.stringMatching(/^nothing was published: /),
    'seal was left out: no time',
    'publish was left out: needs seal, which was left out: no time',
  ]);
});

test('when the run is paused, then nothing new starts and running steps end; when it is resumed, then it continues', () => {
  const driven = release();
  expect(driven.action({ action: 'pause', by: 'kim', reason: 'lunch' })).toEqual([
    'paused: nothing more is started; what runs goes on',
  ]);
  expect(driven.done('a')).toEqual([]);
  expect(driven.action({ action: 'resume' })).toEqual(['resumed', 'start test-a']);
});

test.each([
  [{ onFailure: 'tell' }, 'has failed', 'failed'],
  [{ tolerate: 'jailed' }, 'is left out', 'skipped'],
] as const)('given a step with %j, when a person stops it, then it %s', (answer, says, state) => {
  const driven = holding([{ id: 'a', ...answer }, { id: 'b' }]);
  driven.next();
  expect(driven.action({ action: 'cancel', step: 'a' })).toEqual([
    'abort a',
    `a is being stopped; it ${says} afterwards`,
  ]);
  driven.failed('a', 'cancelled');
  expect(driven.states()).toMatchObject({ a: state });
});

test('given further tries after a failure of the product, when a person stops the step, then that failure is not retried', () => {
  const product = { times: 3, waitMs: 0, atMostMs: 0 };
  const driven = holding([{ id: 'a', retry: { ...RETRY, product } }]);
  driven.next();
  driven.action({ action: 'cancel', step: 'a' });
  driven.failed('a', 'product');
  expect(driven.states()).toEqual({ a: 'held' });
});

test('when a running step is cancelled, then it is stopped and held; if it ended first, then it is done', () => {
  const driven = release();
  expect(driven.action({ action: 'cancel', step: 'a', reason: 'hangs', by: 'kim' })).toEqual([
    'abort a',
    'a is being stopped; it is held afterwards',
  ]);
  driven.failed('a', 'cancelled');
  expect(driven.scheduler.status()[1]).toMatchObject({ state: 'held', because: 'stopped: hangs (kim)' });
  driven.action({ action: 'cancel', step: 'b' });
  driven.done('b');
  expect(driven.states()['b']).toBe('done');
});

test('given a held step, when the run is cancelled, then the held step is cancelled and cleanup steps run', () => {
  const driven = release();
  driven.failed('a', 'product');
  driven.done('b');
  expect(driven.cancel('wrong tag')).toEqual(['start report']);
  expect(driven.done('report')).toEqual(['end cancelled']);
  expect(driven.states()['a']).toBe('cancelled');
});

test('when a publishing step meets a conflict, then nothing more is published until the conflict is resolved', () => {
  const driven = holding([
    { id: 'one', kind: 'publishArtifacts' },
    { id: 'gate' },
    { id: 'two', kind: 'publishArtifacts', needs: [1] },
  ]);
  driven.next();
  driven.failed('one', 'conflict');
  expect(driven.done('gate')).toEqual([]);
  expect(driven.states()).toEqual({ one: 'held', gate: 'done', two: 'waiting' });
  expect(driven.action({ action: 'retry', step: 'one' })).toEqual(['one is tried again', 'start one']);
  expect(driven.done('one')).toEqual(['start two']);
});

test('given two conflicts, when one is resolved, then the other still blocks publishing', () => {
  const driven = holding([
    { id: 'one', kind: 'publishArtifacts' },
    { id: 'other', kind: 'publishArtifacts' },
    { id: 'gate' },
    { id: 'third', kind: 'publishArtifacts', needs: [2] },
  ]);
  driven.next();
  driven.failed('one', 'conflict');
  driven.failed('other', 'conflict');
  driven.done('gate');
  expect(driven.action({ action: 'skip', step: 'one', reason: 'ours is wrong' })).toEqual(['one is left out']);
  expect(driven.states()).toMatchObject({ other: 'held', third: 'waiting' });
  expect(driven.action({ action: 'skip', step: 'other', reason: 'too' })).toEqual(['other is left out', 'start third']);
});

test('given a step being stopped, when it fails by itself, then it is held and not retried', () => {
  const driven = release();
  driven.action({ action: 'cancel', step: 'a', reason: 'hangs', by: 'kim' });
  expect(driven.failed('a', 'infra')).toEqual([]);
  expect(driven.scheduler.status()[1]).toMatchObject({ state: 'held', because: 'stopped: hangs (kim)' });
  driven.action({ action: 'retry', step: 'a' });
  expect(driven.failed('a', 'cancelled')).toEqual(['start a']); // its worker was shut down: nobody stops it any more
});

test('given a step that waits for a slot, when an operator retries it, then it runs once and backs off after a failure', () => {
  const driven = new Driven(aSkeleton([{ id: 'a' }, { id: 'b' }], { windows: { control: 1 } }), { onFailure: 'hold' });
  expect(driven.next()).toEqual(['start a']);
  expect(driven.failed('a', 'infra')).toEqual(['start b', 'wake 500']);
  driven.wake(); // its time has come, and b has the only place
  expect(driven.action({ action: 'retry', step: 'a' })).toEqual(['a is tried again']);
  expect(driven.done('b')).toEqual(['start a']);
  expect(driven.failed('a', 'infra')).toEqual(['wake 500']);
  expect(driven.wake()).toEqual(['start a']);
});

test('given a chain behind a skipped step, then each step names the skipped step and not the chain', () => {
  const driven = holding([{ id: 'a' }, { id: 'b', needs: [0] }, { id: 'c', needs: [1] }, { id: 'd', needs: [2] }]);
  driven.next();
  driven.failed('a', 'product');
  driven.action({ action: 'skip', step: 'a', reason: 'late' });
  expect(driven.scheduler.status()[3]).toMatchObject({ because: 'needs a, which was left out: late' });
});

test.each<[string, PlainAction, string]>([
  ['for an unknown step', { action: 'retry', step: 'no/such; rm -rf /' }, 'STEP_UNKNOWN'],
  ['for a step that is done', { action: 'retry', step: 'source' }, 'STEP_NOT_HELD'],
  ['for all held steps without any', { action: 'retry' }, 'NOTHING_HELD'],
  ['that skips a running step', { action: 'skip', step: 'a', reason: 'x' }, 'STEP_NOT_SKIPPABLE'],
  ['that stops a step before its start', { action: 'cancel', step: 'seal' }, 'STEP_NOT_RUNNING'],
])('given an action %s, then it is refused with its code', (_, action, code) => {
  expect(release().action(action)).toEqual([code]);
});

test('given the name of an entry in an action, then the refusal lists the steps of its variants', () => {
  const driven = holding([{ id: 'wheels/a/cp311' }, { id: 'wheels/a/cp312' }, { id: 'wheels/ab' }]);
  driven.action({ action: 'retry', step: 'wheels/a' });
  expect(driven.commands.find((command) => command.do === 'answer')?.answer).toMatchObject({
    problem: { code: 'STEP_UNKNOWN', next: 'Name one: wheels/a/cp311, wheels/a/cp312.' },
  });
});

test('given two operators who retry one step, then the second action is refused with STEP_NOT_HELD', () => {
  const driven = release();
  driven.failed('a', 'product');
  driven.action({ action: 'retry', step: 'a', by: 'kim' });
  expect(driven.action({ action: 'retry', step: 'a', by: 'lee' })).toEqual(['STEP_NOT_HELD']);
});

test('given a run that is being cancelled, then actions are refused and notes are accepted', () => {
  const driven = release();
  driven.cancel();
  expect(driven.action({ action: 'retry' })).toEqual(['RUN_IS_CANCELLING']);
  expect(driven.action({ action: 'note', reason: 'seen' })).toEqual(['noted']);
});
