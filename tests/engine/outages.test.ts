import fc from 'fast-check';
import type { Service } from '../../src/model/outage.js';
import type { SkeletonStep } from '../../src/model/plan.js';
import { aSkeleton, RETRY, type Rough } from './a-skeleton.js';
import { World, type Away, type Nature } from './a-world.js';

const MINUTE_MS = 60_000;

describe('properties', () => {
  const SERVICES: readonly Service[] = ['target:hub', 'store', 'example.org:443'];
  const QUEUES = ['control', 'linux'] as const;
  /** One further try: two failures that counted would end the step. */
  const SHORT = { ...RETRY, infra: { times: 1, waitMs: 1000, atMostMs: 5000 } };

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
      { numRuns: 400 },
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
      { numRuns: 300 },
    );
  });
});
