import type { WorkflowExecutionDescription } from '@temporalio/client';
import { defaultPayloadConverter, type PayloadCodec } from '@temporalio/common';
import type { Beat, RunStatus } from '../model/messages.js';

/** Adds what running activities tell that they wait for: a workflow does not see heartbeats, Temporal does. */
export async function withWaits(
  status: RunStatus,
  { raw }: Pick<WorkflowExecutionDescription, 'raw'>,
  codecs: readonly PayloadCodec[],
): Promise<RunStatus> {
  const waits = new Map<string, string>();
  for (const { activityId, heartbeatDetails } of raw.pendingActivities ?? []) {
    let [payload] = heartbeatDetails?.payloads ?? [];
    for (const codec of codecs.toReversed()) [payload] = payload ? await codec.decode([payload]) : [];
    const told = payload ? defaultPayloadConverter.fromPayload<Beat>(payload) : null;
    if (told !== null && typeof told === 'object' && activityId) waits.set(activityId, told.waits);
  }
  if (waits.size === 0) return status;
  const steps = status.steps.map((step) => {
    const because = step.state === 'running' ? waits.get(step.id) : undefined;
    if (because !== undefined) waits.delete(step.id);
    return because === undefined ? step : { ...step, because };
  });
  // What is left is planning, or the keeping of the verdict.
  const [own] = waits.values();
  return { ...status, steps, ...(own === undefined ? {} : { waits: own }) };
}
