import { log, proxyActivities, type ActivityOptions } from '@temporalio/workflow';
import type { LoadCheckpoint, SaveCheckpoint } from '../model/checkpoint.js';
import type { OpenGate, VerifyApprovals } from '../model/gate.js';
import { CONTROL, FLEET, WATCH } from '../model/ids.js';
import { type KindName, KINDS, taskQueueOf } from '../model/kinds.js';
import type {
  KeepStatus,
  MakePlan,
  RunStatus,
  StepActivity,
  StepEnding,
  StepInput,
  WatchFleet,
} from '../model/messages.js';
import type { Notify } from '../model/notice.js';
import type { SkeletonStep } from '../model/plan.js';
import type { Priority } from '../model/priority.js';
import type { Reuse } from '../model/reuse.js';
import type { KeepAudit } from '../model/actions.js';
import { priorityOf } from './priority.js';

/** Time for the runner to end a process group that ignores TERM, and to report. */
const GRACE_MS = 30_000;
const MINUTE_MS = 60_000;
const MONTH_MS = 30 * 24 * 60 * MINUTE_MS;

/** Common to all activities. Coded failures are non-retryable, so Temporal's retry is only for lost workers; there is
 * no scheduleToClose, which would fail steps that merely wait for a worker. The default cancellation would end the run
 * while its processes still live. */
export const COMMON = {
  heartbeatTimeout: 10_000,
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  retry: { initialInterval: 100, backoffCoefficient: 3, maximumInterval: 2000, maximumAttempts: 5 },
} as const satisfies ActivityOptions;

/** Schedules a step: the activity is named after its kind, on the task queue of the step. No other place schedules steps. */
export function perform(step: SkeletonStep, input: StepInput, priority: Priority | undefined): Promise<StepEnding> {
  const activities = proxyActivities<Record<KindName, StepActivity>>({
    ...COMMON,
    taskQueue: taskQueueOf(step),
    activityId: step.id,
    summary: step.id,
    priority: priorityOf(step.stage, priority),
    // The worker enforces the limit after the wait for a turn. Missing heartbeats show a dead worker long before.
    startToCloseTimeout: step.limitMs + GRACE_MS + MINUTE_MS + (KINDS[step.kind].waits === 'turn' ? MONTH_MS : 0),
  });
  return activities[step.kind](input);
}

/** A cancel does not wait for planning; a worker that dies meanwhile is noticed by its missing heartbeats. */
export const { makePlan } = proxyActivities<{ makePlan: MakePlan }>({
  ...COMMON,
  cancellationType: 'TRY_CANCEL',
  taskQueue: CONTROL,
  activityId: 'plan',
  summary: 'planning',
  startToCloseTimeout: 10 * MINUTE_MS,
});

/** Watches the workers for as long as the run lasts. A lost watcher is replaced.
 * @param patienceMs schedule-to-start time-out */
export function watchFleet(
  input: Parameters<WatchFleet>[0],
  patienceMs: number,
): Promise<Awaited<ReturnType<WatchFleet>>> {
  const { watchFleet: watch } = proxyActivities<{ watchFleet: WatchFleet }>({
    heartbeatTimeout: COMMON.heartbeatTimeout,
    cancellationType: 'TRY_CANCEL',
    retry: { initialInterval: COMMON.retry.initialInterval, maximumInterval: COMMON.retry.maximumInterval },
    taskQueue: FLEET,
    activityId: WATCH,
    summary: 'watching the queues',
    scheduleToStartTimeout: patienceMs,
    startToCloseTimeout: MONTH_MS,
  });
  return watch(input);
}

/** Waits for the store as long as it takes: the run cannot go on without it. */
const CHECKPOINT = {
  ...COMMON,
  retry: { ...COMMON.retry, maximumInterval: 10_000, maximumAttempts: Infinity },
  taskQueue: CONTROL,
  startToCloseTimeout: 10 * MINUTE_MS,
} as const satisfies ActivityOptions;

export const { saveCheckpoint } = proxyActivities<{ saveCheckpoint: SaveCheckpoint }>({
  ...CHECKPOINT,
  summary: 'saving the checkpoint',
});

export const { loadCheckpoint } = proxyActivities<{ loadCheckpoint: LoadCheckpoint }>({
  ...CHECKPOINT,
  summary: 'loading the checkpoint',
});

/** Limit of the retries of a record for the store, in milliseconds. */
const KEEP_LIMIT_MS = 20 * MINUTE_MS;

/** Stores the final status. Temporal retries it while the store is down. After a failure the run ends without the record: a client
 * that watches the run stores the status too. */
export async function keepStatus(status: RunStatus): Promise<void> {
  const { keepStatus: keep } = proxyActivities<{ keepStatus: KeepStatus }>({
    heartbeatTimeout: COMMON.heartbeatTimeout,
    retry: { initialInterval: COMMON.retry.initialInterval, maximumInterval: 10_000 },
    taskQueue: CONTROL,
    activityId: 'keep-status',
    summary: `keeping the verdict: ${status.verdict?.verdict ?? status.state}`,
    scheduleToCloseTimeout: KEEP_LIMIT_MS,
  });
  await keep(status).catch((error: unknown) => log.warn('the status is not in the store', { error }));
}

/** Stores actions of operators. Steps that start wait for it, because the seal reads skipped steps from the store. Returns whether
 * the store took the actions. */
export async function keepAudit(...input: Parameters<KeepAudit>): Promise<boolean> {
  const { keepAudit: keep } = proxyActivities<{ keepAudit: KeepAudit }>({
    ...COMMON,
    taskQueue: CONTROL,
    summary: `keeping ${input[0].actions.length} actions`,
    // Steps on other queues wait for this activity. They must not wait for ever if control has no worker.
    scheduleToCloseTimeout: KEEP_LIMIT_MS,
  });
  try {
    await keep(...input);
    return true;
  } catch (error) {
    log.warn('actions are not in the store', { error });
    return false;
  }
}

/** Limit of the retries of a notification, in milliseconds. */
const TELL_LIMIT_MS = 30 * MINUTE_MS;

/** Sends a notification. Temporal retries it with growing waits while its receiver does not answer. */
export function notify(...[telling]: Parameters<Notify>): Promise<void> {
  const { notify: send } = proxyActivities<{ notify: Notify }>({
    heartbeatTimeout: COMMON.heartbeatTimeout,
    cancellationType: 'TRY_CANCEL',
    retry: { initialInterval: 2000, backoffCoefficient: 2, maximumInterval: 5 * MINUTE_MS, maximumAttempts: 10 },
    taskQueue: CONTROL,
    activityId: `notify ${telling.to} ${telling.id.slice(telling.id.indexOf('/') + 1)}`,
    summary: `notifying ${telling.to}: ${telling.verdict?.verdict ?? telling.notices.map(({ event }) => event).join(', ')}`,
    startToCloseTimeout: 3 * MINUTE_MS,
    scheduleToCloseTimeout: TELL_LIMIT_MS,
  });
  return send(telling);
}

/** Reads what a gate publishes. A failure is the failure of the gate's step, whose policy decides about a retry. */
export function openGate(...[input]: Parameters<OpenGate>): ReturnType<OpenGate> {
  const { openGate: open } = proxyActivities<{ openGate: OpenGate }>({
    ...COMMON,
    taskQueue: CONTROL,
    activityId: `open ${input.step}`,
    summary: `what ${input.step} stands before`,
    startToCloseTimeout: 5 * MINUTE_MS,
  });
  return open(input);
}

/** Looks up cached results. If no worker takes the lookup in time, each step looks for itself. */
const LOOKUP_WAIT_MS = 10_000;

export const { lookUpCache } = proxyActivities<{ lookUpCache: Reuse }>({
  ...COMMON,
  retry: { ...COMMON.retry, maximumAttempts: 3 },
  taskQueue: CONTROL,
  summary: 'looking up cached results',
  scheduleToStartTimeout: LOOKUP_WAIT_MS,
  startToCloseTimeout: 10 * MINUTE_MS,
});

export function verifyApprovals(...[input]: Parameters<VerifyApprovals>): ReturnType<VerifyApprovals> {
  const { verifyApprovals: verify } = proxyActivities<{ verifyApprovals: VerifyApprovals }>({
    ...COMMON,
    taskQueue: CONTROL,
    summary: `looking into ${input.actions.length} actions at gates`,
    startToCloseTimeout: 5 * MINUTE_MS,
  });
  return verify(input);
}
