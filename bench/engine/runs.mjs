import { setTimeout as pause } from 'node:timers/promises';
import { middle } from '../measure.mjs';

/** Between two looks at a run that is measured while it runs. */
const ASK_EVERY_MS = 1000;

/** One run, from its start to its result: what it took per step, and what server and worker used of the CPU.
 * @param start answers a handle @param worker the process that carries it out
 * @param during told the handle now and then while it runs */
async function measured(ground, { start, worker, steps, during }) {
  const [server, own, atMs] = [ground.server.cpuMs(), worker.cpuMs(), performance.now()];
  const handle = await start();
  let over = false;
  const ended = handle.result().finally(() => (over = true));
  const asks = during
    ? asking(
        () => over,
        ended,
        () => during(handle),
      )
    : null;
  await ended;
  const wallMs = performance.now() - atMs;
  await asks;
  return {
    handle,
    wallMs,
    per: {
      wall: wallMs / steps,
      server: (ground.server.cpuMs() - server) / steps,
      worker: (worker.cpuMs() - own) / steps,
    },
  };
}

async function asking(isOver, ended, ask) {
  for (;;) {
    await Promise.race([pause(ASK_EVERY_MS), ended.catch(() => undefined)]);
    if (isOver()) return;
    await ask();
  }
}

export const ours = (ground, plan, { over, during } = {}) =>
  measured(ground, { start: () => ground.release(plan, over), worker: ground.slipway, steps: plan.steps, during });

/** @param records it gets its plan and has its verdict kept by activities, as ours */
export const floor = (ground, count, { window, records = false } = {}) => {
  const plan = records ? { shape: 'flat', steps: count } : undefined;
  return measured(ground, {
    ...{ start: () => ground.handwritten(count, { window, plan }), worker: ground.floor, steps: count },
  });
};

/** Medians of what runs took per step. */
export const perStep = (runs) => ({
  wall: middle(runs.map(({ per }) => per.wall)),
  server: middle(runs.map(({ per }) => per.server)),
  worker: middle(runs.map(({ per }) => per.worker)),
});
