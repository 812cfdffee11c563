// `assert` where a run asks after each round: a call of `expect` costs as much as a round.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Service } from '../../../src/model/outage.js';
import type { SkeletonStep } from '../../../src/model/plan.js';
import { aSkeleton, RETRY, type Rough } from '../a-skeleton.js';
import { World, type Nature } from '../a-world.js';
import { law } from './law.js';

const MINUTE_MS = 60_000;
const SERVICES: readonly Service[] = ['target:hub', 'store', 'example.org:443'];
const QUEUES = ['control', 'linux'] as const;
/** One further try: two failures that counted would end the step. */
const SHORT = { ...RETRY, infra: { times: 1, waitMs: 1000, atMostMs: 5000 } };

const drawn = {
  steps: fc.array(
    fc.record({
      edges: fc.array(fc.nat(), { maxLength: 2 }),
      queue: fc.nat(1),
      needs: fc.subarray([...SERVICES]),
      /** Whether the plan knows what it needs. */
      told: fc.boolean(),
      lastsMs: fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 20 * MINUTE_MS })),
    }),
    { minLength: 1, maxLength: 20 },
  ),
  away: fc.array(
    fc.record({
      service: fc.constantFrom(...SERVICES),
      fromMs: fc.nat(60 * MINUTE_MS),
      lastsMs: fc.integer({ min: 1, max: 29 * MINUTE_MS }),
    }),
    { maxLength: 4 },
  ),
  luck: fc.array(fc.nat(999), { minLength: 4, maxLength: 16 }),
};
const calm = fc.record(drawn);
type Drawn = typeof calm extends fc.Arbitrary<infer T> ? T : never;

const said = fc.array(
  fc.record({
    atMs: fc.nat(120 * MINUTE_MS),
    action: fc.constantFrom('retry', 'retry all', 'skip', 'pause', 'cancel', 'stop'),
    step: fc.nat(),
  }),
  { maxLength: 4 },
);
const spoken = fc.record({ ...drawn, said });
type Said = (typeof said extends fc.Arbitrary<infer T> ? T : never)[number];

function worldOf({ steps, away, luck }: Drawn): World {
  const rough = steps.map(({ edges, queue, needs, told }, at): Rough => ({
    id: `s${at}`,
    on: QUEUES[queue]!,
    needs: at === 0 ? [] : [...new Set(edges.map((edge) => edge % at))],
    retry: SHORT,
    ...(told && { services: needs }),
  }));
  const nature: Nature = {
    away: away.map(({ service, fromMs, lastsMs }) => ({ service, fromMs, toMs: fromMs + lastsMs })),
    lastsMs: (step) => steps[step]!.lastsMs,
    needs: (step) => [...steps[step]!.needs, 'store'],
  };
  let at = 0;
  const random = (): number => luck[at++ % luck.length]! / 1000;
  return new World(aSkeleton(rough, { windows: { control: 3, linux: 1 } }), nature, { random });
}

/** While a service does not answer, nobody who is known to need it begins but the one that is let through. */
function onlyOneTries({ scheduler, begun, skeleton }: World): void {
  for (const { service, until, trying } of scheduler.outages()) {
    if (until !== undefined) continue;
    const knowing = begun.map((step) => skeleton.steps[step]!).filter((step) => needsOf(step).includes(service));
    assert.deepEqual(
      knowing.map(({ id }) => id).filter((id) => id !== trying),
      [],
    );
  }
}
const needsOf = ({ services = [] }: SkeletonStep): readonly Service[] => [...services, 'store'];

const noneHeld = law({
  id: 'outages/none-held',
  says: 'given any outages that end, then each step is done, none is held, and one step probes at a time',
  runs: 150,
  weight: 6,
  worlds: calm,
  holds: (world) => {
    const played = worldOf(world);
    played.play(Infinity, () => {
      onlyOneTries(played);
      assert.equal(played.scheduler.held, 0);
    });
    expect(played.scheduler.ended!.verdict).toBe('released');
    expect(played.nowMs).toBeLessThanOrEqual(longestMs(world));
    for (const { state } of played.scheduler.status()) expect(state).toBe('done');
  },
});

/** When a run has ended at the latest. Once all services answer, each step fails at most once more, in an attempt from before,
 * and waits for a try of each service, which comes within two minutes. */
function longestMs({ steps, away }: Drawn): number {
  const backMs = Math.max(0, ...away.map(({ fromMs, lastsMs }) => fromMs + lastsMs));
  const workMs = steps.reduce((sum, { lastsMs }) => sum + lastsMs, 0);
  return backMs + 2 * workMs + SERVICES.length * 2 * MINUTE_MS;
}

const withActions = law({
  id: 'outages/with-actions',
  says: 'given actions during an outage, then the run ends, and its steps are done, skipped or cancelled',
  runs: 150,
  weight: 6,
  worlds: spoken,
  holds: (world) => {
    const played = worldOf(world);
    for (const one of [...world.said].sort((a, b) => a.atMs - b.atMs)) {
      played.play(Math.max(one.atMs, played.nowMs), () => onlyOneTries(played));
      say(played, one);
    }
    // Steps that were stopped by an action are held: a person lets them go on.
    for (let guard = 0; played.scheduler.ended === null && guard < 50; guard++) {
      played.say({ what: 'action', action: { action: 'retry' }, atMs: played.nowMs });
      played.play(played.nowMs + 240 * MINUTE_MS, () => onlyOneTries(played));
    }
    expect(['released', 'cancelled', 'failed']).toContain(played.scheduler.ended?.verdict);
    for (const { state } of played.scheduler.status()) expect(['done', 'skipped', 'cancelled']).toContain(state);
  },
});

function say(world: World, { action, step }: Said): void {
  const id = `s${step % world.skeleton.steps.length}`;
  const atMs = world.nowMs;
  if (action === 'cancel') world.say({ what: 'cancel', reason: 'enough', atMs });
  if (action === 'retry') world.say({ what: 'action', action: { action, step: id }, atMs });
  if (action === 'retry all') world.say({ what: 'action', action: { action: 'retry' }, atMs });
  if (action === 'skip') world.say({ what: 'action', action: { action, step: id, reason: 'no' }, atMs });
  if (action === 'stop') world.say({ what: 'action', action: { action: 'cancel', step: id }, atMs });
  if (action === 'pause') pauseForAMinute(world);
}

function pauseForAMinute(world: World): void {
  world.say({ what: 'action', action: { action: 'pause' }, atMs: world.nowMs });
  for (const command of world.scheduler.next()) expect(command.do).not.toBe('start');
  world.nowMs += MINUTE_MS;
  world.wakeAtMs = null;
  world.say({ what: 'wake', atMs: world.nowMs });
  world.say({ what: 'action', action: { action: 'resume' }, atMs: world.nowMs });
}

export const outages = [noneHeld, withActions];
