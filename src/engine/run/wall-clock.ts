import type { GateStatus } from '../../model/gate.js';
import type { RunStatus, StepStatus } from '../../model/messages.js';
import { whyShut } from '../gates/gate-rules.js';

/** Converts a status from the run's own time to the clock's. The run's time continues when the clock is set back, but
 * people read the clock.
 * @param aheadMs difference of the run's time to the clock */
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
