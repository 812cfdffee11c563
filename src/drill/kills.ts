import type { Reached } from '../model/drill.js';
import type { Queue, StepId } from '../model/ids.js';
import { pause } from '../services/poll.js';
import type { Point } from './draw.js';
import { serviceOf, type Victims } from './victims.js';

/** Armed points of one rehearsal: each kills once, when its step gets there. */
export interface Kills {
  /** Asked by the gate. */
  reached(reached: Reached, gone: AbortSignal): Promise<void>;
  /** Nothing is killed any more; resolves when all that was killed answers again. */
  over(): Promise<void>;
  /** Points at which something was killed, in that order. */
  readonly done: readonly Point[];
  /** Rejects when what was killed does not come back. */
  readonly failed: Promise<never>;
}

/** @param queueOf queue of a step @param restart starts everything again after the supervisor was killed */
export function createKills(
  points: readonly Point[],
  victims: Victims,
  {
    queueOf,
    restart,
    onKill,
  }: { queueOf: (step: StepId) => Queue; restart: () => Promise<void>; onKill: (point: Point) => void },
): Kills {
  const armed = new Set(points);
  const done: Point[] = [];
  const over = new AbortController();
  const turns = inTurn();
  let fail: (error: unknown) => void;
  const failed = new Promise<never>((_, reject) => (fail = reject));
  failed.catch(() => undefined);

  const strike = async (point: Point): Promise<() => Promise<void>> => {
    if (point.victim === 'supervisor') {
      await victims.killSupervisor();
      return restart;
    }
    const service = serviceOf(point.victim, queueOf(point.step));
    const dead = await victims.killService(service);
    return () => victims.risen(service, dead);
  };
  /** Kills in its turn, when all that was killed before is back. Resolves at the death: what comes then is for others to bear. */
  const killAt = (point: Point, gone: AbortSignal | null): Promise<void> =>
    new Promise((dead) => {
      void turns(async () => {
        // Its worker went with another victim while it stood here: it will come again.
        if (gone?.aborted) return void armed.add(point);
        if (over.signal.aborted) return;
        const rise = await strike(point);
        done.push(point);
        onKill(point);
        dead();
        await rise();
      })
        .catch(fail)
        .finally(dead);
    });
  return {
    done,
    failed,
    async reached({ step, phase }, gone) {
      const point = [...armed].find((one) => one.step === step && one.phase === phase);
      if (point === undefined) return;
      armed.delete(point);
      if (point.afterMs === 0) return killAt(point, gone);
      void pause(point.afterMs, over.signal).then(() => (over.signal.aborted ? undefined : killAt(point, null)));
    },
    async over() {
      over.abort();
      armed.clear();
      await turns(async () => undefined);
    },
  };
}

/** One after another. */
function inTurn(): (act: () => Promise<void>) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const mine = last.then(act);
    last = mine.catch(() => undefined);
    return mine;
  };
}
