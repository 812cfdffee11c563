import { criticalPath } from '../../engine/forecast/critical-path.js';
import { recoverable } from '../../engine/forecast/forecast.js';
import type { RunStatus } from '../../model/messages.js';
import type { Plan } from '../../model/plan.js';

export interface LongestPath {
  readonly ms: number;
  readonly steps: readonly { readonly id: string; readonly ms: number }[];
  /** Share of the run's time above the path, 0 to 1. */
  readonly recoverable: number;
  /** The longest step beside the path, and how much longer it could have been before the run had been. */
  readonly next: { readonly id: string; readonly slackMs: number } | null;
}

/** The chain of steps that decided how long a run took, with the time each took. */
export function longestPath(plan: Plan, status: RunStatus): LongestPath {
  const times = new Map(status.steps.map((step) => [step.id, step.ms ?? 0]));
  const { ms, steps, slackMs } = criticalPath(plan.steps, times);
  const tookMs = (id: string): number => times.get(id) ?? 0;
  const beside = [...slackMs].filter(([id, slack]) => slack > 0 && tookMs(id) > 0);
  const next = beside.toSorted(([a], [b]) => tookMs(b) - tookMs(a))[0];
  return {
    ms,
    steps: steps.map((id) => ({ id, ms: times.get(id) ?? 0 })),
    recoverable: recoverable(ms, (status.endedAt ?? status.startedAt) - status.startedAt),
    next: next === undefined ? null : { id: next[0], slackMs: next[1] },
  };
}
