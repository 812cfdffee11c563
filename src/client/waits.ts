import type { WorkflowExecutionDescription } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import { maybe, shape, text } from '../model/check.js';
import { lostWorkers } from '../model/answers.js';
import { SlipwayFailure, type Problem } from '../model/failure.js';
import type { HeartbeatDetails, RunStatus, StepStatus } from '../model/messages.js';
import { msOf } from './beats.js';
import { taskFails } from './errors.js';
import { firstOf } from './payload.js';

/** A killed worker costs one or two attempts of a workflow task. More mean a bug in the workflow's code. */
const MANY_TRIES = 5;

/** PENDING_ACTIVITY_STATE_SCHEDULED of temporal.api.enums.v1. */
const SCHEDULED = 1;

/** Untrusted: any program that takes tasks can send heartbeats. */
const heartbeat = shape({ waits: maybe(text(2000)), lost: maybe(lostWorkers) });
/** An unreadable heartbeat must not hide the status. A missing key is an error. */
const unreadable = (error: unknown): null => {
  if (error instanceof SlipwayFailure) throw error;
  return null;
};

/** Adds from Temporal's pending activities what they wait for, which are not started, and which workers they lost. A
 * workflow sees neither heartbeats nor starts. */
export async function withWaits(
  status: RunStatus,
  described: Pick<WorkflowExecutionDescription, 'raw'>,
  codecs: readonly PayloadCodec[],
): Promise<RunStatus> {
  const waits = new Map<string, string>();
  const seen = new Map<string, Pick<StepStatus, 'queued' | 'queue' | 'lost' | 'startedAt'>>();
  for (const pending of described.raw.pendingActivities ?? []) {
    const { activityId, heartbeatDetails, state, lastStartedTime, activityOptions } = pending;
    const said = await firstOf<HeartbeatDetails>(heartbeatDetails?.payloads, codecs).catch(unreadable);
    const told = said !== null && heartbeat(said) === null ? said : {};
    if (!activityId) continue;
    if (told.waits !== undefined) waits.set(activityId, told.waits);
    const queue = activityOptions?.taskQueue?.name;
    if (state === SCHEDULED) seen.set(activityId, { queued: true, ...(queue && { queue }) });
    else if (told.lost) seen.set(activityId, { lost: told.lost, startedAt: msOf(lastStartedTime) });
  }
  const failing = failingTask(described);
  if (waits.size + seen.size === 0 && failing === null) return status;
  const steps = status.steps.map((step) => {
    if (step.state !== 'running') return step;
    const because = waits.get(step.id);
    waits.delete(step.id);
    const { lost = [], ...more } = seen.get(step.id) ?? {};
    return {
      ...{ ...step, ...more },
      ...(because !== undefined && { because }),
      ...(lost.length > 0 && { lost: [...(step.lost ?? []), ...lost], attempt: step.attempt + lost.length }),
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
