import type { Command } from '../../src/engine/run/inputs.js';
import { aProblem, aSkeleton, RETRY, type Rough } from './a-skeleton.js';
import { aRule, aYes, OTHER, SEALED } from './a-gate.js';
import { Driven } from './drive.js';

const holding = (steps: readonly Rough[]): Driven => new Driven(aSkeleton(steps), { onFailure: 'hold' });
const roundOf = (driven: Driven): number | undefined =>
  driven.commands.filter((one): one is Extract<Command, { do: 'start' }> => one.do === 'start').at(-1)?.round;

/** source → a, b → test-a, seal (wants all) → publish; report waits for all. Everything done but what publishes. */
const almost = (): Driven => {
  const driven = holding([
    { id: 'source' },
    { id: 'a', needs: [0] },
    { id: 'b', needs: [0] },
    { id: 'test-a', needs: [1] },
    { id: 'seal', kind: 'sealManifest', wants: [1, 2, 3] },
    { id: 'publish', kind: 'publishArtifacts', needs: [4] },
    { id: 'report', after: [5] },
  ]);
  driven.next();
  for (const id of ['source', 'a', 'b', 'test-a', 'seal']) driven.done(id);
  return driven;
};

test('a step and all that stands on it run again, even where done; what does not stand on it stays', () => {
  const driven = almost();
  driven.failed('publish', 'product');
  expect(driven.action({ action: 'retry', from: 'a' })).toEqual([
    'a runs again, and 4 steps that stand on it',
    'start a',
  ]);
  expect(roundOf(driven)).toBe(2);
  expect(driven.states()).toEqual({
    ...{ source: 'done', b: 'done', a: 'running' },
    ...{ 'test-a': 'waiting', seal: 'waiting', publish: 'waiting', report: 'waiting' },
  });
  expect(driven.done('a')).toEqual(['start test-a']);
  expect(driven.done('test-a', 'cached')).toEqual(['start seal']);
  driven.done('seal');
  driven.done('publish');
  expect(driven.done('report')).toEqual(['end released']);
});

test('what runs is stopped first, and its ending does not count', () => {
  const driven = almost();
  expect(driven.action({ action: 'retry', from: 'a' })).toEqual([
    'abort publish',
    'a runs again, and 4 steps that stand on it',
    'start a',
  ]);
  expect(driven.done('publish')).toEqual([]); // it was quicker than the stop
  expect(driven.states()).toMatchObject({ publish: 'waiting', report: 'waiting' });
  for (const id of ['a', 'test-a']) driven.done(id);
  expect(driven.done('seal')).toEqual(['start publish']);
});

test('a step that is itself under way is stopped, and begins anew in the next round', () => {
  const driven = almost();
  expect(driven.action({ action: 'retry', from: 'publish' })).toEqual([
    'abort publish',
    'publish runs again, and 1 step that stands on it',
  ]);
  expect(driven.failed('publish', 'cancelled')).toEqual(['start publish']);
  expect(roundOf(driven)).toBe(2);
});

test('what a person left out stays left out; it runs where it is named', () => {
  const driven = holding([{ id: 'a' }, { id: 'test', needs: [0] }, { id: 'seal', wants: [0, 1] }]);
  driven.next();
  driven.done('a');
  driven.failed('test', 'product');
  driven.action({ action: 'skip', step: 'test', reason: 'flaky' });
  expect(driven.action({ action: 'retry', from: 'a' }).slice(0, 2)).toEqual([
    'abort seal',
    'a runs again, and 1 step that stands on it',
  ]);
  driven.failed('seal', 'cancelled');
  expect(driven.done('a')).toEqual(['start seal']);
  expect(driven.states()).toMatchObject({ test: 'skipped', seal: 'running' });
  expect(driven.action({ action: 'retry', from: 'test' })).toContain('start test');
});

test('a step that fails in the new round is held; what was skipped behind a failure comes back to life', () => {
  const driven = almost();
  driven.failed('publish', 'product');
  driven.action({ action: 'retry', from: 'a' });
  driven.failed('a', 'product');
  expect(driven.states()).toMatchObject({ a: 'held', 'test-a': 'waiting', seal: 'waiting' });
  driven.action({ action: 'skip', step: 'a', reason: 'hopeless' });
  expect(driven.states()).toMatchObject({ 'test-a': 'skipped', seal: 'running' });
  driven.action({ action: 'retry', from: 'a' });
  driven.failed('seal', 'cancelled');
  expect(driven.done('a')).toEqual(['start test-a']);
  expect(roundOf(driven)).toBe(3);
});

test('a cancel ends what was being stopped to run again', () => {
  const driven = almost();
  driven.action({ action: 'retry', from: 'publish' });
  driven.cancel();
  driven.failed('publish', 'cancelled');
  expect(driven.done('report')).toEqual(['end cancelled']);
});

test.each([
  ['an unknown step', 'nowhere', 'STEP_UNKNOWN'],
  ['a step with shell characters', '$(reboot); `ls` && "', 'STEP_UNKNOWN'],
  ['a step that has not begun', 'report', 'STEP_NOT_BEGUN'],
])('%s is refused, and nothing changes', (_, from, code) => {
  const driven = almost();
  const before = driven.states();
  expect(driven.action({ action: 'retry', from })).toEqual([code]);
  expect(driven.scheduler.answers.previewRerun(from)).toMatchObject({ ok: false, problem: { code } });
  expect(driven.states()).toEqual(before);
});

test('a step that stands on what was left out is refused, and told what to run again', () => {
  const driven = holding([{ id: 'a' }, { id: 'b', needs: [0] }, { id: 'c' }]);
  driven.next();
  driven.failed('a', 'product');
  driven.action({ action: 'skip', step: 'a', reason: 'no' });
  const preview = driven.scheduler.answers.previewRerun('b');
  expect(preview).toMatchObject({
    ok: false,
    problem: { code: 'STEP_SHUT', next: expect.stringContaining('--from a') },
  });
});

test('the preview says what is reused, run again, stopped and invalidated, and changes nothing', () => {
  const driven = almost();
  const before = driven.states();
  expect(driven.scheduler.answers.previewRerun('a')).toEqual({
    ok: true,
    from: 'a',
    reused: ['source', 'b'],
    again: ['a', 'test-a', 'seal', 'publish', 'report'],
    stopped: ['publish'],
    invalidated: [
      { step: 'a', why: 'its result' },
      { step: 'test-a', why: 'its result' },
      { step: 'seal', why: 'the sealed manifest: sealed anew' },
    ],
  });
  expect(driven.states()).toEqual(before);
});

const gated = (): Driven => {
  const driven = holding([
    { id: 'wheel' },
    { id: 'seal', kind: 'sealManifest', needs: [0] },
    { id: 'gates/ship', kind: 'passGate', needs: [1], gate: aRule({ quorum: 2 }) },
    { id: 'publish', kind: 'publishArtifacts', needs: [2] },
  ]);
  driven.next();
  driven.done('wheel');
  driven.done('seal');
  driven.opened('gates/ship', SEALED);
  driven.atGate(aYes({ by: 'kim' }), 'kim');
  return driven;
};
const approvals = (driven: Driven): readonly string[] =>
  driven.scheduler.status()[2]!.gate!.approvals.map(({ by }) => by);

test('approvals count on where the same manifest is sealed again, and not where other bytes are', () => {
  const same = gated();
  const other = gated();
  for (const driven of [same, other]) {
    expect(driven.scheduler.answers.previewRerun('wheel')).toMatchObject({
      invalidated: expect.arrayContaining([
        { step: 'gates/ship', why: '1 approval: void where other bytes are sealed' },
      ]),
    });
    driven.action({ action: 'retry', from: 'wheel' });
    driven.done('wheel');
    expect(driven.done('seal')).toEqual(['open gates/ship']);
  }
  same.opened('gates/ship', SEALED);
  other.opened('gates/ship', OTHER, [{ by: 'kim', manifest: SEALED, run: 'r' }]);
  expect([approvals(same), approvals(other)]).toEqual([['kim'], []]);
  expect(other.scheduler.status()[2]!.because).toContain('void: kim approved');
  expect(same.atGate(aYes({ by: 'lee' }), 'lee')).toContain('start gates/ship');
});

test('a passed gate is asked about again: what it let through was other bytes', () => {
  const driven = gated();
  driven.atGate(aYes({ by: 'lee' }), 'lee');
  driven.done('gates/ship');
  driven.failed('publish', 'product');
  driven.action({ action: 'retry', from: 'seal' });
  expect(driven.done('seal')).toEqual(['open gates/ship']);
  driven.opened('gates/ship', OTHER);
  expect(driven.states()).toMatchObject({ 'gates/ship': 'at gate', publish: 'waiting' });
});

test('a step that tries a service for others and begins anew lets another one try', () => {
  const driven = holding([
    { id: 'a' },
    { id: 'b', needs: [0], retry: { ...RETRY, infra: { times: 5, waitMs: 0, atMostMs: 0 } } },
  ]);
  const away = { outcome: 'failed', problems: [aProblem({ class: 'infra', service: 'index' })] } as const;
  driven.next();
  driven.failed('a', 'product');
  driven.action({ action: 'retry', step: 'a' });
  driven.ended('a', away); // so that it is known to need the service
  driven.wake();
  driven.done('a');
  for (let times = 0; times < 3; times++) driven.ended('b', away);
  expect(driven.scheduler.status()[1]!.because).toBe('index does not answer');
  driven.atMs += 60_000;
  expect(driven.wake()).toContain('start b');
  driven.action({ action: 'retry', from: 'a' });
  driven.failed('b', 'cancelled');
  driven.atMs += 600_000;
  expect(driven.wake()).toContain('start a');
  driven.done('a');
  driven.atMs += 600_000;
  expect(driven.states()).toEqual({ a: 'done', b: 'running' });
});

test('what met a conflict is tried again when its turn comes; until then nothing else is published', () => {
  const driven = holding([
    { id: 'wheel' },
    { id: 'first', kind: 'publishArtifacts', needs: [0] },
    { id: 'more' },
    { id: 'second', kind: 'publishArtifacts', needs: [2] },
  ]);
  driven.next();
  driven.done('wheel');
  driven.failed('first', 'conflict');
  expect(driven.done('more')).toEqual([]);
  driven.action({ action: 'retry', from: 'wheel' });
  expect(driven.done('wheel')).toEqual(['start first']);
  expect(driven.done('first')).toEqual(['start second']);
  expect(driven.done('second')).toEqual(['end released']);
});
