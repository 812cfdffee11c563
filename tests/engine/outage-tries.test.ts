import type { AttemptResult } from '../../src/engine/run/inputs.js';
import type { Service } from '../../src/model/outage.js';
import { aProblem, aSkeleton, RETRY, type Rough } from './a-skeleton.js';
import { Driven } from './drive.js';

const HUB = 'target:hub';
const HOUR_MS = 3_600_000;
const failing = (service: Service): AttemptResult => ({
  outcome: 'failed',
  problems: [aProblem({ class: 'infra', service })],
});
const NO_HUB = failing(HUB);
/** So many that no test uses them up. */
const PATIENT = { ...RETRY, infra: { ...RETRY.infra, times: 50 } };
const using = (id: string, more: Partial<Rough> = {}): Rough => ({ id, services: [HUB], retry: PATIENT, ...more });

/** Given steps that have begun, of which the first three failed for the hub. */
function away(steps: readonly Rough[], windows = { control: 50, gpu: 50, linux: 1 }): Driven {
  const it = new Driven(aSkeleton(steps, { windows }), { onFailure: 'hold' });
  it.next();
  for (const { id } of steps.slice(0, 3)) it.ended(id, NO_HUB);
  expect(it.scheduler.outages()).toMatchObject([{ service: HUB }]);
  return it;
}
const trying = (it: Driven): string | undefined => it.scheduler.outages()[0]?.trying;
const isOpen = (it: Driven): boolean => it.scheduler.outages().some(({ until }) => until === undefined);
/** Seconds pass until some step starts. */
function untilStart(it: Driven): string {
  for (let guard = 0; guard < 200; guard++) {
    const start = it.wake().find((word) => word.startsWith('start '));
    if (start !== undefined) return start.slice('start '.length);
  }
  throw new Error('nothing starts');
}
const ABC = [using('a'), using('b'), using('c')];

test('given a success that began before two failures, then it does not reset their count, and the third opens an outage', () => {
  const it = new Driven(aSkeleton([...ABC, using('before')]));
  it.next();
  it.ended('a', NO_HUB);
  it.ended('b', NO_HUB);
  it.done('before');
  it.ended('c', NO_HUB);
  expect(it.scheduler.outages()).toMatchObject([{ service: HUB, steps: 3 }]);
});

test('given a success that began after two failures, then it resets their count', () => {
  const it = new Driven(aSkeleton([...ABC, using('first', { services: [] }), using('after', { needs: [3] })]));
  it.next();
  it.ended('a', NO_HUB);
  it.ended('b', NO_HUB);
  it.done('first');
  it.done('after');
  it.ended('c', NO_HUB);
  expect(it.scheduler.outages()).toEqual([]);
});

test('given a long probe that counts as an answer, when a step from before the outage succeeds, then the outage stays', () => {
  const it = away([...ABC, using('before')]);
  const first = untilStart(it);
  for (let second = 0; second < 70; second++) it.wake();
  expect(isOpen(it)).toBe(false);
  it.done('before');
  it.ended(first, NO_HUB);
  expect(isOpen(it)).toBe(true);
});

test('given a probe that counts as an answer, when a later step succeeds, then the outage ends and failures count anew', () => {
  const it = away(ABC);
  const first = untilStart(it);
  for (let second = 0; second < 70; second++) it.wake();
  const [second] = ['a', 'b', 'c'].filter((id) => id !== first && it.states()[id] === 'running');
  it.done(second!);
  it.ended(first, NO_HUB);
  expect(isOpen(it)).toBe(false);
  expect(it.states()[first]).toBe('backing off');
});

test('when an attempt from before the outage fails, then it is not a probe, and the running probe continues', () => {
  const it = away([...ABC, using('before')]);
  const first = untilStart(it);
  it.ended('before', NO_HUB);
  expect(trying(it)).toBe(first);
  for (let second = 0; second < 30; second++) expect(it.wake().join()).not.toContain('start');
});

test('given a step that backs off for its own failure, then it does not probe before the next probe is due', () => {
  const it = away([...ABC, using('own')]);
  expect(it.failed('own', 'infra').join()).not.toContain('start');
  expect(it.wake().join()).not.toContain('start');
  expect(trying(it)).toBeUndefined();
  expect(it.states()).toMatchObject({ own: 'waiting' });
});

test('when a probe ends with a cached result, then the service is still considered down', () => {
  const it = away(ABC);
  it.done(untilStart(it), 'cached');
  expect(isOpen(it)).toBe(true);
  it.done(untilStart(it));
  expect(isOpen(it)).toBe(false);
});

test('given steps on served and unserved queues, then a step on a served queue probes first', () => {
  const it = away([using('a', { on: 'gpu' }), using('b', { on: 'gpu' }), using('c')]);
  it.say({ what: 'fleet', unserved: [{ queue: 'gpu', since: it.atMs }], atMs: it.atMs });
  expect(untilStart(it)).toBe('c');
});

test('when an operator retries a step, then that step probes first', () => {
  const it = away(ABC);
  expect(it.action({ action: 'retry', step: 'c' })).toContain('start c');
});

describe('given a conflict, which blocks publishing', () => {
  const publishing = { kind: 'publishArtifacts' } as const;
  const far = using('far', { ...publishing, services: ['target:far'] });

  test('when the next probe is due, then a step that does not publish probes the service', () => {
    const it = away([using('a', publishing), using('b', publishing), using('c'), far]);
    it.failed('far', 'conflict');
    const stoppedAtMs = it.atMs;
    expect(untilStart(it)).toBe('c');
    expect(it.atMs - stoppedAtMs).toBeLessThanOrEqual(5000); // at the time of the first try
  });

  test('when a publishing step waits for a slot to probe, then another step probes instead', () => {
    const steps = [
      using('a', { ...publishing, on: 'linux' }),
      using('b'),
      using('c'),
      far,
      { id: 'long', on: 'linux' },
    ];
    const it = away(steps);
    expect(it.states()).toMatchObject({ a: 'waiting', long: 'running' });
    expect(it.action({ action: 'retry', step: 'a' })[0]).toContain('is tried at once');
    it.failed('far', 'conflict');
    expect(['b', 'c']).toContain(untilStart(it));
  });
});

test('given an outage with a time limit, when the run is paused and resumed, then the limit starts again', () => {
  const limited = { ...PATIENT, outageMs: HOUR_MS };
  const it = away(ABC.map((step) => ({ ...step, retry: limited })));
  const pass = (ms: number): void => void it.say({ what: 'wake', atMs: (it.atMs += ms) });
  it.action({ action: 'pause' });
  pass(3 * HOUR_MS);
  it.action({ action: 'resume' });
  pass(1000);
  expect(Object.values(it.states())).not.toContain('held');
  pass(HOUR_MS);
  expect(Object.values(it.states())).toContain('held');
});
