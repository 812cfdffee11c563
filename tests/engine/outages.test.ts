import fc from 'fast-check';
import type { Ending } from '../../src/engine/inputs.js';
import type { Service } from '../../src/model/outage.js';
import type { SkeletonStep } from '../../src/model/plan.js';
import { aProblem, aSkeleton, RETRY, type Rough } from './a-skeleton.js';
import { Driven } from './drive.js';
import { World, type Away, type Nature } from './a-world.js';

const MINUTE_MS = 60_000;
/** One further try: two failures that counted would end the step. */
const SHORT = { ...RETRY, infra: { times: 1, waitMs: 1000, atMostMs: 5000 } };

describe('properties', () => {
  const SERVICES: readonly Service[] = ['target:hub', 'store', 'example.org:443'];
  const QUEUES = ['control', 'linux'] as const;
  interface Drawn {
    readonly edges: readonly number[];
    readonly queue: number;
    readonly needs: readonly Service[];
    /** Whether the plan knows what it needs. */
    readonly told: boolean;
    readonly lastsMs: number;
  }
  const steps: fc.Arbitrary<readonly Drawn[]> = fc.array(
    fc.record({
      edges: fc.array(fc.nat(), { maxLength: 2 }),
      queue: fc.nat(1),
      needs: fc.subarray([...SERVICES]),
      told: fc.boolean(),
      lastsMs: fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 20 * MINUTE_MS })),
    }),
    { minLength: 1, maxLength: 20 },
  );
  const away: fc.Arbitrary<readonly Away[]> = fc
    .array(
      fc.record({
        service: fc.constantFrom(...SERVICES),
        fromMs: fc.nat(60 * MINUTE_MS),
        lastsMs: fc.integer({ min: 1, max: 29 * MINUTE_MS }),
      }),
      { maxLength: 4 },
    )
    .map((all) => all.map(({ service, fromMs, lastsMs }) => ({ service, fromMs, toMs: fromMs + lastsMs })));

  interface Drawing {
    readonly drawn: readonly Drawn[];
    readonly away: readonly Away[];
    readonly luck: readonly number[];
  }
  const drawings: fc.Arbitrary<Drawing> = fc.record({
    drawn: steps,
    away,
    luck: fc.array(fc.nat(999), { minLength: 4, maxLength: 16 }),
  });

  function worldOf({ drawn, away, luck }: Drawing): World {
    const rough = drawn.map(({ edges, queue, needs, told }, at): Rough => ({
      id: `s${at}`,
      on: QUEUES[queue]!,
      needs: at === 0 ? [] : [...new Set(edges.map((edge) => edge % at))],
      retry: SHORT,
      ...(told && { services: needs }),
    }));
    const nature: Nature = {
      away,
      lastsMs: (step) => drawn[step]!.lastsMs,
      needs: (step) => [...drawn[step]!.needs, 'store'],
    };
    let at = 0;
    const random = (): number => luck[at++ % luck.length]! / 1000;
    return new World(aSkeleton(rough, { windows: { control: 3, linux: 1 } }), nature, { random });
  }

  /** While a service does not answer, nobody who is known to need it begins but the one that is let through. */
  function onlyOneTries({ scheduler, begun, skeleton }: World): void {
    for (const { service, until, trying } of scheduler.outages()) {
      if (until !== undefined) continue;
      const knowing = begun.map((step) => skeleton.steps[step]!).filter((step) => needs(step).includes(service));
      expect(knowing.map(({ id }) => id).filter((id) => id !== trying)).toEqual([]);
    }
  }
  const needs = ({ services = [] }: SkeletonStep): readonly Service[] => [...services, 'store'];

  test('whatever services go away for a while, each step gets done, none is held, and one at a time tries', () => {
    fc.assert(
      fc.property(drawings, (drawing) => {
        const world = worldOf(drawing);
        world.play(Infinity, () => {
          onlyOneTries(world);
          expect(world.scheduler.held).toBe(0);
        });
        expect(world.scheduler.ended!.verdict).toBe('released');
        for (const { state } of world.scheduler.status()) expect(state).toBe('done');
      }),
      { numRuns: 150 },
    );
  });

  test('words in the middle of it: the run ends all the same, and steps are done, left out or cancelled', () => {
    const words = fc.array(
      fc.record({
        atMs: fc.nat(120 * MINUTE_MS),
        word: fc.constantFrom('retry', 'retry all', 'skip', 'pause', 'cancel', 'stop'),
        step: fc.nat(),
      }),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(drawings, words, (drawing, said) => {
        const world = worldOf(drawing);
        const id = (step: number): string => `s${step % drawing.drawn.length}`;
        for (const { atMs, word, step } of [...said].sort((a, b) => a.atMs - b.atMs)) {
          world.play(Math.max(atMs, world.nowMs), () => onlyOneTries(world));
          const now = { atMs: world.nowMs };
          if (word === 'cancel') world.say({ what: 'cancel', reason: 'enough', ...now });
          if (word === 'retry') world.say({ what: 'word', word: { word, step: id(step) }, ...now });
          if (word === 'retry all') world.say({ what: 'word', word: { word: 'retry' }, ...now });
          if (word === 'skip') world.say({ what: 'word', word: { word, step: id(step), reason: 'no' }, ...now });
          if (word === 'stop') world.say({ what: 'word', word: { word: 'cancel', step: id(step) }, ...now });
          if (word === 'pause') {
            world.say({ what: 'word', word: { word }, ...now });
            for (const command of world.scheduler.next()) expect(command.do).not.toBe('start');
            world.nowMs += MINUTE_MS;
            world.wakeAtMs = null;
            world.say({ what: 'wake', atMs: world.nowMs });
            world.say({ what: 'word', word: { word: 'resume' }, atMs: world.nowMs });
          }
        }
        // Steps that were stopped by a word are held: a person lets them go on.
        for (let guard = 0; world.scheduler.ended === null && guard < 50; guard++) {
          world.say({ what: 'word', word: { word: 'retry' }, atMs: world.nowMs });
          world.play(world.nowMs + 240 * MINUTE_MS, () => onlyOneTries(world));
        }
        expect(['released', 'cancelled', 'failed']).toContain(world.scheduler.ended?.verdict);
        for (const { state } of world.scheduler.status()) expect(['done', 'skipped', 'cancelled']).toContain(state);
      }),
      { numRuns: 150 },
    );
  });
});

describe('by hand', () => {
  const HUB = 'target:hub';
  const HOUR_MS = 60 * MINUTE_MS;
  const OWN: Ending = { outcome: 'failed', problems: [aProblem({ class: 'infra' })] };
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

  test('the failures of an outage leave the whole budget for others', () => {
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

  test('a service that never answers is tried ever more seldom, and after a day the step is held', () => {
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

  test('the release file says how long to wait', () => {
    const one = world([publish('a', { retry: { ...RETRY, outageMs: HOUR_MS } })], { away: hubAway(Infinity) });
    one.play(2 * HOUR_MS);
    expect(statesOf(one)).toEqual(['held']);
  });

  test('no tries at all means no waiting, and a proof tells at once what is missing', () => {
    const never = { ...RETRY, infra: { ...RETRY.infra, times: 0 } };
    const one = world([publish('a', { retry: never }), publish('b', { stage: 'prove' })], { away: hubAway(Infinity) });
    one.play(HOUR_MS);
    expect(statesOf(one)).toEqual(['held', 'held']);
    expect(one.scheduler.outages()).toEqual([]);
  });

  test('what does not need it goes on, and what needs it and has not begun does not begin', () => {
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

  test('engines of two machines are two services', () => {
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

  test('a try that gets further than those that failed is an answer, though it lasts for hours', () => {
    const one = world([publish('a'), publish('b')], {
      away: hubAway(2 * MINUTE_MS),
      lastsMs: (step) => (one.nowMs > 2 * MINUTE_MS ? 3 * HOUR_MS : 1000 + step),
    });
    one.play(10 * MINUTE_MS);
    expect(statesOf(one)).toEqual(['running', 'running']);
    expect(one.scheduler.outages()).toMatchObject([{ service: HUB, until: expect.any(Number) }]);
  });

  test('a step that is alone with its trouble does not stand for all, and does not wait for a day', () => {
    const bad: Ending = { outcome: 'failed', problems: [aProblem({ class: 'infra', service: HUB })] };
    const done: Ending = { outcome: 'done', ms: 1, note: '' };
    const one = world([publish('bad'), { id: 'build', limitMs: 1 }, publish('good', { needs: [1] })], {
      lastsMs: (step) => (step === 1 ? 20_000 : 100),
      otherwise: (step) => (step === 0 ? bad : done),
    });
    one.play(10 * MINUTE_MS);
    expect(statesOf(one)).toEqual([expect.stringMatching(/waiting|running/), 'done', 'done']);
    one.play(3 * HOUR_MS);
    expect(statesOf(one)[0]).toBe('held');
  });

  test('a try that comes due while its only step stands in line is made when the turn of that step comes', () => {
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

  test('a person who says retry is answered, and it is tried at once', () => {
    const one = world([publish('a')], { away: hubAway(HOUR_MS) });
    one.play(30 * MINUTE_MS);
    if (one.underWay.length > 0) one.play(one.nowMs + 1000);
    for (const step of ['a', undefined]) {
      one.commands.length = 0;
      one.say({ what: 'word', word: { word: 'retry', ...(step && { step }) }, atMs: one.nowMs });
      one.play(one.nowMs);
      expect(one.commands).toMatchObject([
        { do: 'answer', answer: { ok: true, did: 'target:hub is tried at once' } },
        { do: 'start', step: 0 },
        { do: 'wakeAt' },
      ]);
      one.play(one.nowMs + 1000);
    }
  });

  test('a cancelled run waits for nothing: what tidies up has its budget', () => {
    const steps = [publish('a'), { id: 'report', after: [0], services: [HUB] }];
    const one = world(steps, { away: hubAway(Infinity) });
    one.play(10 * MINUTE_MS);
    one.say({ what: 'cancel', reason: 'enough', atMs: one.nowMs });
    one.play();
    expect(one.scheduler.ended!.verdict).toBe('cancelled');
    expect(one.nowMs).toBeLessThan(11 * MINUTE_MS);
    expect(statesOf(one)).toEqual(['cancelled', 'failed']);
  });

  test('what publishes needs every target until something went out, and then only its own', () => {
    const it = new Driven(aSkeleton([publish('a'), publish('b'), publish('far', { services: ['target:far'] })]), {
      onFailure: 'hold',
    });
    const noFar: Ending = { outcome: 'failed', problems: [aProblem({ class: 'infra', service: 'target:far' })] };
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
