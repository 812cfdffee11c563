import type { PayloadCodec } from '@temporalio/common';
import type { History } from '@temporalio/common/lib/proto-utils';
import { problems } from '../model/answers.js';
import type { Problem } from '../model/failure.js';
import type { RunId, StepId } from '../model/ids.js';
import type { FailureDetails } from '../model/messages.js';
import { ask } from './ask.js';
import { codecsOf, type ClientContext } from './client-context.js';
import { nextHistory } from './history-chain.js';
import { firstOf } from './payload.js';

type HistoryEvent = NonNullable<History['events']>[number];
type Failures = Map<StepId, readonly Problem[]>;

/** Returns the problems of each step's last attempt, read from the run's histories, so that no worker is needed.
 * Omits steps whose last attempt succeeded or was lost without a problem. */
export async function failuresOf(
  context: ClientContext,
  workflowId: string,
  run: RunId,
): Promise<ReadonlyMap<StepId, readonly Problem[]>> {
  const found: Failures = new Map();
  await ask(context, `read the history of ${workflowId}`, { workflowId, run }, async () => {
    for (let at: string | null = run; at !== null;) {
      await read(context, workflowId, at, found);
      at = await nextHistory(context, await context.client.workflow.getHandle(workflowId, at).describe());
    }
  });
  return found;
}

async function read(context: ClientContext, workflowId: string, run: string, found: Failures): Promise<void> {
  const { events } = await context.client.workflow.getHandle(workflowId, run).fetchHistory();
  const steps = new Map<string, StepId>();
  for (const event of events ?? []) {
    const { activityTaskScheduledEventAttributes: scheduled, activityTaskCompletedEventAttributes: completed } = event;
    if (scheduled?.activityId) steps.set(String(event.eventId), scheduled.activityId);
    if (completed) found.delete(steps.get(String(completed.scheduledEventId)) ?? '');
    const step = steps.get(String(event.activityTaskFailedEventAttributes?.scheduledEventId));
    const told = step === undefined ? [] : await problemsIn(event, codecsOf(context));
    if (told.length > 0) found.set(step!, told);
  }
}

async function problemsIn(
  { activityTaskFailedEventAttributes: failed }: HistoryEvent,
  codecs: readonly PayloadCodec[],
): Promise<readonly Problem[]> {
  const details = await firstOf<FailureDetails>(failed?.failure?.applicationFailureInfo?.details?.payloads, codecs);
  return problems(details?.problems) === null ? details!.problems : [];
}
