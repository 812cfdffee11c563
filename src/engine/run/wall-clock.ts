import type { GateStatus } from '../../model/gate.js';
import type { RunStatus, StepStatus } from '../../model/messages.js';
import { whyShut } from '../gates/gate-rules.js';

/** A run's own time goes on where the clock is put back. People read the clock: what they are told is counted back from there,
 * so that what began a minute ago did so a minute ago, and what comes in an hour comes in an hour.
 * @param aheadMs of the run's time before the clock */
export function byTheClock(status: RunStatus, aheadMs: number): RunStatus {
  if (aheadMs === 0) return status;
  const { startedAt, steps, waiting, outages } = status;
  const at = (ms: number): number => ms - aheadMs;
  return {
    ...status,
    startedAt: at(startedAt),
    steps: steps.map((step) => stepBy(at, step)),
    ...(waiting && { waiting: waiting.map((one) => moved(one, at, ['since', 'until'])) }),
    ...(outages && { outages: outages.map((one) => moved(one, at, ['since', 'until', 'nextTryAt'])) }),
  };
}

type At = (ms: number) => number;

function stepBy(at: At, step: StepStatus): StepStatus {
  const told = moved(step, at, ['startedAt', 'againAt', 'heldAt']);
  if (told.gate === undefined) return told;
  const gate = gateBy(at, told.gate);
  return { ...told, gate, because: whyShut(gate) };
}

const gateBy = (at: At, gate: GateStatus): GateStatus => ({
  ...moved(gate, at, ['soaksUntil']),
  approvals: gate.approvals.map((one) => moved(one, at, ['until'])),
});

/** Returns a copy with these times moved. Absent times stay absent. */
function moved<T, K extends keyof T>(one: T, at: At, keys: readonly K[]): T {
  const told = { ...one };
  for (const key of keys) if (typeof one[key] === 'number') told[key] = at(one[key]) as T[K];
  return told;
}
