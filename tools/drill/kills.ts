import type { Reached } from '#slipway/model/drill.js';
import type { Queue, StepId } from '#slipway/model/ids.js';
import { pause } from '#slipway/services/poll.js';
import type { Point } from './draw.js';
import { programOf, serviceOf, type Victims } from './victims.js';

/** The points of one rehearsal. Each kills once, when its step reaches the phase. */
export interface Kills {
  reached(reached: Reached, gone: AbortSignal): Promise<void>;
  /** Ends all kills. Resolves when every victim answers again. */
  over(): Promise<void>;
  readonly done: readonly Point[];
  readonly failed: Promise<never>;
}

/** @param queueOf queue of a step @param restart starts all services after the supervisor was killed */
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
    const dead = await victims.killService(service, programOf(point.victim));
    return () => victims.risen(service, dead);
  };
  /** Kills once all earlier victims have recovered. Resolves at the death, so that the step continues during the
   * outage. */
  const killAt = (point: Point, gone: AbortSignal | null): Promise<void> =>
    new Promise((dead) => {
      void turns(async () => {
        // Another kill took this attempt's worker; the retry will reach the point again.
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

function inTurn(): (act: () => Promise<void>) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const mine = last.then(act);
    last = mine.catch(() => undefined);
    return mine;
  };
}
