import { workflowInfo } from '@temporalio/workflow';
import type { SchedulerSnapshot } from '../engine/checkpoint/snapshot.js';
import { checkpointFault } from '../engine/checkpoint/checkpoint-fault.js';
import { Scheduler, type SchedulerOptions } from '../engine/run/scheduler.js';
import type { Checkpoint, Continued } from '../model/checkpoint.js';
import { fail } from '../model/failure.js';
import { CONTROL } from '../model/ids.js';
import { PLAN_MEMO, type ReleaseInput } from '../model/messages.js';
import { continuedByHand } from './errors.js';
import type { About } from './problems-of.js';
import type { Run } from './run.js';
import { loadCheckpoint } from './schedule.js';
import { soundAnswer } from './sound-answer.js';

export const LOADING: About = { id: 'loading the checkpoint', kind: 'loadCheckpoint', on: CONTROL };

/** Returns what the history before told. Undefined for the first history. Temporal says whether this one continues another. */
export function continuedOf(input: ReleaseInput | undefined): Continued | undefined {
  const { continuedFromExecutionRunId, firstExecutionRunId } = workflowInfo();
  const continued = input?.continued;
  return continuedFromExecutionRunId !== undefined && continued?.first === firstExecutionRunId ? continued : undefined;
}

/** Throws CONTINUED_BY_HAND for input that only a run itself gives. */
export function assertNotByHand(input: ReleaseInput | undefined): void {
  if (input?.continued !== undefined) throw fail(continuedByHand());
}

/** Loads the checkpoint of the history before, and goes on from there. */
export async function resume(run: Run, continued: Continued, options: Omit<SchedulerOptions, 'nowMs'>): Promise<void> {
  const { memo } = workflowInfo();
  const found = await soundAnswer(
    LOADING.id,
    () => loadCheckpoint({ run: continued.run, digest: continued.checkpoint }),
    (checkpoint) => checkpointFault(checkpoint, memo?.[PLAN_MEMO]),
  );
  const { scheduler, skeleton } = found as Checkpoint<SchedulerSnapshot>;
  run.resume(found, new Scheduler(skeleton, { ...options, nowMs: scheduler.nowMs }, scheduler));
}
