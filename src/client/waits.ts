import type { WorkflowExecutionDescription } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import { shape, text } from '../model/check.js';
import { SlipwayFailure, type Problem } from '../model/failure.js';
import type { HeartbeatDetails, RunStatus } from '../model/messages.js';
import { taskFails } from './errors.js';
import { firstOf } from './payload.js';

/** A killed worker costs one or two attempts of a workflow task. More mean a bug in the workflow's code. */
const MANY_TRIES = 5;

/** PENDING_ACTIVITY_STATE_SCHEDULED of temporal.api.enums.v1. */
const SCHEDULED = 1;

/** Untrusted: any program that takes tasks can send heartbeats. */
const waiting = shape({ waits: text(2000) });
/** An unreadable heartbeat must not hide the status. A missing key is an error. */
const unreadable = (error: unknown): null => {
  if (error instanceof SlipwayFailure) throw error;
  return null;
};

/** Adds from Temporal's pending activities what they wait for and which are not started. A workflow sees neither
 * heartbeats nor starts. */
export async function withWaits(
  status: RunStatus,
  described: Pick<WorkflowExecutionDescription, 'raw'>,
  codecs: readonly PayloadCodec[],
): Promise<RunStatus> {
  const waits = new Map<string, string>();
  const queued = new Set<string>();
  for (const { activityId, heartbeatDetails, state } of described.raw.pendingActivities ?? []) {
    if (state === SCHEDULED && activityId) queued.add(activityId);
    const told = await firstOf<HeartbeatDetails>(heartbeatDetails?.payloads, codecs).catch(unreadable);
    if (waiting(told) === null && activityId) waits.set(activityId, (told as { waits: string }).waits);
  }
  const failing = failingTask(described);
  if (waits.size + queued.size === 0 && failing === null) return status;
  const steps = status.steps.map((step) => {
    if (step.state !== 'running') return step;
    const because = waits.get(step.id);
    waits.delete(step.id);
    return {
      ...step,
      ...(because !== undefined && { because }),
      ...(queued.has(step.id) && { queued: true as const }),
    };
  });
  // The remaining wait belongs to the planning or the verdict.
  const [own] = failing === null ? waits.values() : [failing.message];
  return { ...status, steps, ...(own === undefined ? {} : { waits: own }) };
}

/** Returns the problem of a run whose workflow task fails again and again. Null if it does not. */
export function failingTask({ raw }: Pick<WorkflowExecutionDescription, 'raw'>): Problem | null {
  const tries = raw.pendingWorkflowTask?.attempt ?? 1;
  return tries >= MANY_TRIES ? taskFails(raw.workflowExecutionInfo?.execution?.workflowId ?? '', tries) : null;
}
