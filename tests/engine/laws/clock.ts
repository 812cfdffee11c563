import fc from 'fast-check';
import { aSkeleton, RETRY } from '../a-skeleton.js';
import { LASTS_MS, TurnedClock } from '../a-turned-clock.js';
import { law } from './law.js';

const DAY_MS = 86_400_000;
const WAIT_MS = 60_000;
const patient = { ...RETRY, infra: { times: 3, waitMs: WAIT_MS, atMostMs: WAIT_MS } };

export const clock = law({
  id: 'clock',
  says: 'given any clock changes, then nothing starts twice, and no wait lasts more than twice its time',
  runs: 300,
  weight: 2,
  worlds: fc.array(fc.constantFrom(0, 0, 0, DAY_MS, -DAY_MS, 3_600_000, -3_600_000), { maxLength: 40 }),
  holds: (turns) => {
    const steps = [0, 1, 2].map((n) => ({ id: `s${n}`, needs: n === 0 ? [] : [n - 1], retry: patient }));
    const world = new TurnedClock(aSkeleton(steps));
    for (let turn = 0; !world.scheduler.ended; turn++) {
      expect(turn).toBeLessThan(100);
      world.turnedMs += turns[turn] ?? 0;
      world.happen(turn % 5 !== 4 && (turns[turn] ?? 1) === 0);
      if (world.scheduler.held > 0) world.say({ what: 'action', action: { action: 'retry' }, atMs: world.clockMs });
    }
    const jumps = turns.filter((by) => by !== 0).length;
    expect(world.trueMs).toBeLessThan((turns.length + 1 + jumps) * (2 * WAIT_MS + LASTS_MS) + 100 * LASTS_MS);
  },
});
