import type { AttemptResult } from '../../src/engine/run/inputs.js';
import { aProblem, aSkeleton, RETRY, type Rough } from './a-skeleton.js';
import { Driven } from './drive.js';
import { World, type Away, type Nature } from './a-world.js';

const MINUTE_MS = 60_000;
/** One further try: two failures that counted would end the step. */
const SHORT = { ...RETRY, infra: { times: 1, waitMs: 1000, atMostMs: 5000 } };

describe('outages', () => {
  const HUB = 'target:hub';
  const HOUR_MS = 60 * MINUTE_MS;
  const NO_HUB: AttemptResult = { outcome: 'failed', problems: [aProblem({ class: 'infra', service: HUB })] };
  const OWN: AttemptResult = { outcome: 'failed', problems: [aProblem({ class: 'infra' })] };
  const publish = (id: string, more: Partial<Rough> = {}): Rough => ({
    ...{ id, kind: 'publishArtifacts', stage: 'publish', services: [HUB] },
    ...more,
  });
  const hubAway = (toMs: number): readonly Away[] => [{ service: HUB, fromMs: 0, toMs }];
  const world = (steps: readonly Rough[], nature: Partial<Nature>, random = 0.5): World =>
    new World(
      aSkeleton(steps, { windows: { control: 50, gpu: 50 } }),
      { away: [], lastsMs: () => 100, needs: () => [HUB], ...nature },
      { random: () => random },
    );
  const statesOf = ({ scheduler }: World): readonly string[] => scheduler.status().map(({ state }) => state);

  test('given a step that waited for an outage, then its retry budget is still full for other failures', () => {
    let own = 0;
    const one = world([publish('a')], {
      away: hubAway(45 * MINUTE_MS),
      // As many as the budget allows for.
      otherwise: () => (own++ < RETRY.infra.times ? OWN : { outcome: 'done', ms: 1, note: '' }),
    });
    one.play();
    expect(one.scheduler.ended).toEqual({
      verdict: 'released',
      reasons: [
        expect.stringMatching(/^target:hub did not answer for 4\d min from 1970-01-01T00:00:\d\dZ: 1 step waited$/),
      ],
    });
  });

  test('given two failures of a service, then other steps start; after the third one they wait', () => {
    const it = new Driven(aSkeleton([publish('a'), publish('b'), publish('c'), publish('d', { needs: [1] })]));
    it.next();
    it.ended('a', NO_HUB);
    it.ended('b', NO_HUB);
    expect(it.scheduler.outages()).toEqual([]);
    expect(it.states()).toMatchObject({ a: 'backing off', b: 'backing off', c: 'running' });
    it.ended('c', NO_HUB);
    expect(it.scheduler.outages()).toMatchObject([{ service: HUB, steps: 3 }]);
    expect(it.states()).toMatchObject({ a: 'waiting', b: 'waiting', c: 'waiting' });
  });

  test('given a service that never answers, then probes become rarer, and the step is held after a day', () => {
    const one = world([publish('a')], { away: hubAway(Infinity) });
    one.play(2 * HOUR_MS);
    const triedAt = one.commands.flatMap(({ do: what, atMs }) => (what === 'start' ? [atMs] : []));
    const apart = triedAt.slice(1).map((at, before) => at - triedAt[before]!);
    expect(Math.max(...apart)).toBeLessThan(100_000);
    expect(triedAt.length).toBeLessThan(100);
    expect(one.scheduler.awaitsService).toBe(true);
    expect(one.scheduler.outages()).toMatchObject([{ service: HUB, since: expect.any(Number), steps: 1 }]);
    one.play(23 * HOUR_MS);
    expect(statesOf(one)).toEqual(['waiting']);
    one.play(25 * HOUR_MS, () => undefined);
    expect(statesOf(one)).toEqual(['held']);
    expect(one.scheduler.status()[0]!.problems).toMatchObject([{ code: 'OUTAGE_TOO_LONG', service: HUB }]);
  });

  test('given a time limit in the release file, then the step is held after that time', () => {
    const one = world([publish('a', { retry: { ...RETRY, outageMs: HOUR_MS } })], { away: hubAway(Infinity) });
    one.play(2 * HOUR_MS);
    expect(statesOf(one)).toEqual(['held']);
  });

  test('given no retries for infra, then steps never wait for a service; steps of the stage prove never wait either', () => {
    const never = { ...RETRY, infra: { ...RETRY.infra, times: 0 } };
    const one = world([publish('a', { retry: never }), publish('b', { stage: 'prove' })], { away: hubAway(Infinity) });
    one.play(HOUR_MS);
    expect(statesOf(one)).toEqual(['held', 'held']);
    expect(one.scheduler.outages()).toEqual([]);
  });

  test('given an outage, then independent steps go on, and steps that need the service do not start', () => {
    const steps = [publish('a'), { id: 'build' }, publish('b', { needs: [1] }), { id: 'after', needs: [1] }];
    const one = world(steps, {
      away: hubAway(HOUR_MS),
      needs: (step) => (step % 2 === 0 ? [HUB] : []),
      lastsMs: () => 20_000,
    });
    one.play(30 * MINUTE_MS);
    expect(statesOf(one)).toEqual([
      expect.stringMatching(/waiting|running/),
      'done',
      expect.stringMatching(/waiting|running/),
      'done',
    ]);
    expect(one.scheduler.outages()).toMatchObject([{ service: HUB, message: 'target:hub is away' }]);
    one.play();
    expect(one.scheduler.ended!.verdict).toBe('released');
  });

  test('given Docker engines on two machines, then they are two services', () => {
    const image = (id: string, on: string): Rough => ({ id, on, kind: 'buildImage', services: ['docker'] });
    const one = world([image('a', 'control'), image('b', 'gpu')], {
      away: [{ service: 'docker', fromMs: 0, toMs: HOUR_MS }],
      needs: (step) => (step === 0 ? ['docker'] : []),
      lastsMs: () => 15_000,
    });
    one.play(30 * MINUTE_MS);
    expect(one.scheduler.outages()).toMatchObject([{ service: 'docker on control', steps: 1 }]);
    expect(statesOf(one)[1]).toBe('done');
  });

  test('when a probe lasts longer than the failed ones, then it counts as an answer while it still runs', () => {
    const one = world([publish('a'), publish('b')], {
      away: hubAway(2 * MINUTE_MS),
      lastsMs: (step) => (one.nowMs > 2 * MINUTE_MS ? 3 * HOUR_MS : 1000 + step),
    });
    one.play(10 * MINUTE_MS);
    expect(statesOf(one)).toEqual(['running', 'running']);
    expect(one.scheduler.outages()).toMatchObject([{ service: HUB, until: expect.any(Number) }]);
  });

  test('when a probe lasts twice as long as the longest failed one, then it counts as an answer, and not before', () => {
    const slowest = 10 * MINUTE_MS;
    const one = world([publish('a', { retry: SHORT })], {
      away: hubAway(2 * slowest),
      lastsMs: () => (one.nowMs > 2 * slowest ? 3 * HOUR_MS : slowest),
    });
    one.play(2 * slowest + 30_000);
    const began = one.underWay[0]!.fromMs;
    const [tried] = one.scheduler.outages();
    expect(tried).toMatchObject({ service: HUB, trying: 'a' });
    one.play(began + 2 * slowest - 1);
    expect(one.scheduler.outages()[0]).not.toHaveProperty('until');
    one.play(began + 2 * slowest);
    expect(one.scheduler.outages()[0]).toHaveProperty('until', began + 2 * slowest);
  });

  test('given many outages that ended, then the last twenty are kept, oldest first', () => {
    const services = Array.from({ length: 23 }, (_, at) => `target:t${at}`);
    const it = new Driven(aSkeleton(services.map((service, at) => ({ id: `s${at}`, needs: at === 0 ? [] : [at - 1], retry: SHORT, services: [service] })))); // prettier-ignore
    const untilStart = (step: string): void => {
      for (let guard = 0; !it.wake().includes(`start ${step}`); guard++) expect(guard).toBeLessThan(100);
    };
    it.next();
    for (const [at, service] of services.entries()) {
      const away: AttemptResult = { outcome: 'failed', problems: [aProblem({ class: 'infra', service })] };
      it.ended(`s${at}`, away);
      untilStart(`s${at}`);
      it.ended(`s${at}`, away);
      untilStart(`s${at}`);
      it.done(`s${at}`);
    }
    expect(it.scheduler.outages().map(({ service }) => service)).toEqual(services.slice(3));
  });

  test('given one step that always fails to reach a service, then other steps go on, and it is held within hours', () => {
    const bad: AttemptResult = { outcome: 'failed', problems: [aProblem({ class: 'infra', service: HUB })] };
    const done: AttemptResult = { outcome: 'done', ms: 1, note: '' };
    const one = world([publish('bad'), { id: 'build', limitMs: 1 }, publish('good', { needs: [1] })], {
      lastsMs: (step) => (step === 1 ? 20_000 : 100),
      otherwise: (step) => (step === 0 ? bad : done),
    });
    one.play(10 * MINUTE_MS);
    expect(statesOf(one)).toEqual([expect.stringMatching(/waiting|running/), 'done', 'done']);
    one.play(3 * HOUR_MS);
    expect(statesOf(one)[0]).toBe('held');
  });

  test('given a probe due while its only step waits for a slot, then the probe runs when the step gets its slot', () => {
    // The index is back, but the try fails by itself. While it backs off, the next build takes the only place of the queue.
    const builds = ['b', 'c', 'd'].map((id): Rough => ({ id, on: 'linux' }));
    const skeleton = aSkeleton([publish('a', { on: 'linux', retry: SHORT }), ...builds], { windows: { linux: 1 } });
    let own = 0;
    const one = new World(
      skeleton,
      {
        away: hubAway(1.5 * MINUTE_MS),
        needs: (step) => (step === 0 ? [HUB] : []),
        lastsMs: (step) => (step === 0 ? 100 : MINUTE_MS),
        otherwise: (step) => (step === 0 && own++ === 0 ? OWN : { outcome: 'done', ms: 1, note: '' }),
      },
      { random: () => 0.5 },
    );
    one.play();
    expect(own).toBe(2);
    expect(statesOf(one)).toEqual(['done', 'done', 'done', 'done']);
    expect(one.nowMs).toBeLessThan(5 * MINUTE_MS);
  });

  test('given an outage, when an operator retries, then the action is answered and the probe starts at once', () => {
    const one = world([publish('a')], { away: hubAway(HOUR_MS) });
    one.play(30 * MINUTE_MS);
    if (one.underWay.length > 0) one.play(one.nowMs + 1000);
    for (const step of ['a', undefined]) {
      one.commands.length = 0;
      one.say({ what: 'action', action: { action: 'retry', ...(step && { step }) }, atMs: one.nowMs });
      one.play(one.nowMs);
      expect(one.commands).toMatchObject([
        { do: 'answer', answer: { ok: true, did: 'target:hub is tried at once' } },
        { do: 'start', step: 0 },
        { do: 'wakeAt' },
      ]);
      one.play(one.nowMs + 1000);
    }
  });

  test('given an outage, when the run is cancelled, then cleanup steps use only their own retry budget', () => {
    const steps = [publish('a'), { id: 'report', after: [0], services: [HUB] }];
    const one = world(steps, { away: hubAway(Infinity) });
    one.play(10 * MINUTE_MS);
    one.say({ what: 'cancel', reason: 'enough', atMs: one.nowMs });
    one.play();
    expect(one.scheduler.ended!.verdict).toBe('cancelled');
    expect(one.nowMs).toBeLessThan(11 * MINUTE_MS);
    expect(statesOf(one)).toEqual(['cancelled', 'failed']);
  });

  test('given a cleanup step that waits for a service, when the run is cancelled, then the step is tried', () => {
    const one = world([{ id: 'first' }, publish('tidy', { after: [0] })], {
      away: hubAway(HOUR_MS),
      needs: (step) => (step === 0 ? [] : [HUB]),
    });
    one.play(10 * MINUTE_MS);
    if (one.underWay.length > 0) one.play(one.nowMs + 1000);
    expect(statesOf(one)).toEqual(['done', 'waiting']);
    one.say({ what: 'cancel', reason: 'enough', atMs: one.nowMs });
    one.play();
    expect(statesOf(one)).toEqual(['done', 'failed']);
    expect(one.nowMs).toBeLessThan(11 * MINUTE_MS);
  });

  test('given publishing steps, then they need every target until one has published, and then only their own', () => {
    const it = new Driven(aSkeleton([publish('a'), publish('b'), publish('far', { services: ['target:far'] })]), {
      onFailure: 'hold',
    });
    const noFar: AttemptResult = { outcome: 'failed', problems: [aProblem({ class: 'infra', service: 'target:far' })] };
    expect(it.next()).toEqual(['start a', 'start b', 'start far']);
    for (const step of ['a', 'b', 'far']) it.ended(step, noFar);
    expect(it.scheduler.outages()).toMatchObject([{ service: 'target:far', steps: 3 }]);
    const untilStart = (step: string): void => {
      for (let guard = 0; !it.wake().includes(`start ${step}`); guard++) expect(guard).toBeLessThan(100);
    };
    untilStart('a');
    it.done('a');
    untilStart('far');
    expect(it.states()).toEqual({ a: 'done', b: 'running', far: 'running' });
    it.ended('far', noFar);
    untilStart('far');
    it.ended('far', noFar);
    untilStart('far');
    it.ended('far', noFar);
    expect(it.scheduler.outages()[0]).toMatchObject({ service: 'target:far', steps: 1 });
    it.ended('b', OWN);
    untilStart('b');
    it.done('b');
    expect(it.scheduler.outages()[0]).toMatchObject({ service: 'target:far', steps: 1 });
    expect(it.scheduler.outages()[0]!.until).toBeUndefined();
  });
});
