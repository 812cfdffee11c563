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

test('when a step is rerun, then every step that depends on it runs again, and other steps stay done', () => {
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

test('when a rerun covers a running step, then that step is stopped and its ending is ignored', () => {
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

test('when a running step is rerun, then it is stopped and starts in the next round', () => {
  const driven = almost();
  expect(driven.action({ action: 'retry', from: 'publish' })).toEqual([
    'abort publish',
    'publish runs again, and 1 step that stands on it',
  ]);
  expect(driven.failed('publish', 'cancelled')).toEqual(['start publish']);
  expect(roundOf(driven)).toBe(2);
});

test('given a step that an operator skipped, when an earlier step is rerun, then it stays skipped unless it is named', () => {
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

test('when a step fails in the new round, then it is held, and steps skipped behind an earlier failure wait again', () => {
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

test('given a step being stopped for a rerun, when the run is cancelled, then the step ends', () => {
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
])('given a rerun from %s, then it is refused and nothing changes', (_, from, code) => {
  const driven = almost();
  const before = driven.states();
  expect(driven.action({ action: 'retry', from })).toEqual([code]);
  expect(driven.scheduler.answers.previewRerun(from)).toMatchObject({ ok: false, problem: { code } });
  expect(driven.states()).toEqual(before);
});

test('given a rerun of a step that depends on a skipped one, then the refusal names the step to rerun', () => {
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

test('given a rerun, when it is previewed, then it lists reused, repeated, stopped and invalidated steps and changes nothing', () => {
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

test('given approvals, when a rerun seals the same manifest, then they still count; with other bytes they do not', () => {
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

test('given a passed gate, when a rerun seals other bytes, then the gate waits again', () => {
  const driven = gated();
  driven.atGate(aYes({ by: 'lee' }), 'lee');
  driven.done('gates/ship');
  driven.failed('publish', 'product');
  driven.action({ action: 'retry', from: 'seal' });
  expect(driven.done('seal')).toEqual(['open gates/ship']);
  driven.opened('gates/ship', OTHER);
  expect(driven.states()).toMatchObject({ 'gates/ship': 'at gate', publish: 'waiting' });
});

test('given a step that probes a service, when it is rerun, then another step probes', () => {
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

test('given a step with a conflict, when it is rerun, then nothing else is published before its turn', () => {
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
