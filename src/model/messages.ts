import type { Probe } from './bisect.js';
import type { Continued } from './checkpoint.js';
import type { Digest } from './digest.js';
import type { Problem } from './failure.js';
import type { GateStatus, Openings } from './gate.js';
import type { Queue, RunHead, RunId, StepId } from './ids.js';
import type { KindName } from './kinds.js';
import type { LostWorker } from './lost-worker.js';
import type { Outage } from './outage.js';
import type { Skeleton } from './plan.js';
import type { Priority } from './priority.js';
import type { ScheduledGiven } from './schedule.js';
import type { StageId } from './stages.js';
import type { FleetSeen, Slots, UnservedQueue } from './worker.js';

/** Limit of one workflow task. A task that delivers 10,000 signals, or replays a long history on a busy machine, takes
 * longer than the defaults of Temporal (10 s) and its SDK (5 s) and would be repeated for ever. A run whose worker was
 * killed in a task waits as long. */
export const WORKFLOW_TASK_LIMIT = '30s';

/** Input of the workflows `release` and `pipeline`, typed by hand in the Temporal UI or sent by the client. */
export interface ReleaseInput {
  /** Path of a release file on the control worker's host. Exclusive with `plan`. */
  readonly file?: string;
  readonly plan?: Digest;
  readonly profile?: string;
  /** Plans the file at another commit, with one test alone. Only a bisect sets it. */
  readonly probe?: Probe;
  /** Options of planning the file. Only a schedule sets them, and a key of the home has signed them. */
  readonly given?: ScheduledGiven;
  readonly by?: string;
  /** Effect of a failure without retries left: `hold` (the default) waits for an operator, `fail` also skips the
   * dependents. */
  readonly onFailure?: 'hold' | 'fail';
  /** Makes a rehearsal wait at gates instead of passing them at once. */
  readonly stopAtGates?: boolean;
  /** No cache lookup, for all steps or for these: ids, or their beginnings up to a `/`. */
  readonly noCache?: true | readonly string[];
  /** Priority of a run that is started by hand. The client gives it to Temporal, which applies it to the whole run. */
  readonly priority?: Priority;
  /** Version of the scheduler's rules. Absent means the first. A run that continues as new takes the newest. */
  readonly engine?: number;
  /** Number of history events after which the run continues as new. For tests. */
  readonly continueAfter?: number;
  /** Set only when a run continues as new. */
  readonly continued?: Continued;
}

export type MakePlan = (
  input: ReleaseInput & { readonly run: RunId; readonly workflowId: string },
) => Promise<Skeleton>;

/** Activity `keepStatus` on the control queue. Stores a run's last status for the time after Temporal's retention. */
export type KeepStatus = (status: RunStatus) => Promise<void>;

/** Memo key of the digest of a run's plan. Readable without a worker. */
export const PLAN_MEMO = 'plan';

/** Memo key of `ContinuedMemo`, from the second history on. */
export const CONTINUED_MEMO = 'continued';

/** Input of every step's activity. It holds digests and ids, so that its size does not grow with the graph. */
export interface StepInput extends BehindSeal {
  readonly plan: Digest;
  readonly step: StepId;
  readonly run: RunId;
  /** The engine's count, from 1. Temporal's own retries for lost workers do not count: see `LostWorker`. */
  readonly attempt: number;
  /** The run's last round when the attempt started. Absent in the first. */
  readonly round?: number;
  /** True for a step that skips the cache lookup. */
  readonly noCache?: true;
  /** An earlier attempt failed by the product: a pass is flaky. */
  readonly flaky?: true;
}
/** Input of a step behind the seal, from the run's history. Records of the store may be altered; history is not. */
export interface BehindSeal {
  readonly sealed?: Digest;
  /** Absent before a gate opened. */
  readonly openings?: Openings;
}
export interface StepEnding {
  readonly outcome: 'done' | 'cached';
  readonly ms: number;
  readonly worker: string;
  /** One line from the result, for display. */
  readonly note: string;
  /** Digest of the manifest. Only the seal's ending has it. */
  readonly sealed?: Digest;
  /** Absent: its first worker ended the attempt. */
  readonly lost?: readonly LostWorker[];
}
export type StepActivity = (input: StepInput) => Promise<StepEnding>;

/** Details of a heartbeat. */
export interface HeartbeatDetails {
  /** Absent outside of steps. */
  readonly worker?: string;
  /** The last line of the log. */
  readonly line?: string;
  /** The reason why the attempt waits. */
  readonly waits?: string;
  readonly lost?: readonly LostWorker[];
}

/** Details of a coded failure. It crosses Temporal as a nonRetryable ApplicationFailure with type = code and details =
 * [FailureDetails]. */
export interface FailureDetails {
  readonly problems: readonly Problem[];
}

export const STEP_STATES = [
  'done',
  'cached',
  'running',
  'waiting',
  'backing off',
  'held',
  'at gate',
  'failed',
  'skipped',
  'cancelled',
  'dropped',
] as const;
export type StepState = (typeof STEP_STATES)[number];

export interface StepStatus {
  readonly id: StepId;
  readonly kind: KindName | null;
  readonly stage: StageId | null;
  readonly state: StepState;
  /** How often workers began it. */
  readonly attempt: number;
  readonly lost?: readonly LostWorker[];
  /** Milliseconds since 1970. */
  readonly startedAt?: number;
  /** True for a scheduled step that no worker has started. The client asks Temporal for it. */
  readonly queued?: true;
  /** Queue in which it then waits, if the server tells it. */
  readonly queue?: Queue;
  readonly againAt?: number;
  /** Time since which it waits for an operator. */
  readonly heldAt?: number;
  readonly ms?: number;
  /** Reason why it was skipped or dropped, or waits. */
  readonly because?: string;
  readonly note?: string;
  readonly problems?: readonly Problem[];
  /** It failed, and was left out because its failure is tolerated. */
  readonly tolerated?: true;
  /** It succeeded after a failure of the product. */
  readonly flaky?: true;
  /** Approvers and manifest of a waiting gate. */
  readonly gate?: GateStatus;
}

/** Steps of a run that wait because no worker serves their queue. */
export interface WaitingQueue extends UnservedQueue {
  /** Open steps of the queue that a worker could run now. */
  readonly steps: number;
  /** Time at which the first of them fails, if the release file limits the wait. */
  readonly until?: number;
  /** The command that starts a worker, and the machine to type it on. */
  readonly could: string;
}

/** Activity `watchFleet` on the queue FLEET. Returns once the set of unserved queues or a number of slots has changed. */
export type WatchFleet = (input: { readonly queues: readonly Queue[] } & FleetSeen) => Promise<FleetSeen>;

/** `held`: only an operator's action continues it. `at gate`: nothing continues before a gate passes. `paused`: by an
 * operator. `waiting`: some step waits for an unserved queue; others may run. */
export type RunState = 'planning' | 'running' | 'waiting' | 'held' | 'at gate' | 'paused' | 'cancelling' | 'ended';
export type VerdictName = 'released' | 'rehearsed' | 'done' | 'failed' | 'cancelled';
/** Verdicts of runs that reached their end: a release, a rehearsal, a pipeline. */
export const GOOD_VERDICTS: readonly (VerdictName | undefined)[] = ['released', 'rehearsed', 'done'];
export interface Verdict {
  readonly verdict: VerdictName;
  readonly reasons: readonly string[];
}

/** Answer of the query `status`. The report step stores it, and the workflow's result contains it. */
export interface RunStatus extends RunHead {
  readonly workflowId: string;
  readonly run: RunId;
  readonly plan: Digest | null;
  readonly state: RunState;
  readonly startedAt: number;
  readonly endedAt?: number;
  /** Version of its scheduler's rules. */
  readonly engine?: number;
  /** Number of the run's history, from 2 on. A long run continues as new under the same workflow id. */
  readonly history?: number;
  /** All steps in the order of the plan. A status too large for a payload loses details first, then successful steps. */
  readonly steps: readonly StepStatus[];
  readonly verdict?: Verdict;
  readonly waiting?: readonly WaitingQueue[];
  /** Known slots by queue, and the window of the run's concurrent steps per queue. */
  readonly slots?: Slots;
  readonly windows?: Readonly<Record<Queue, number>>;
  /** Outages that made steps wait: open ones, then ended ones. */
  readonly outages?: readonly Outage[];
  /** Problems of the run itself: planning failed, an unclassed error. */
  readonly problems: readonly Problem[];
  readonly paused?: string;
  /** The last refused actions. The sender of a Signal gets no answer. */
  readonly refused?: readonly Problem[];
  /** The last failures to send a notification. */
  readonly failedNotifications?: readonly Problem[];
  /** Why the run itself waits: its workers' answer, or a long history. A step has its own reason. */
  readonly waits?: string;
}

export const STATUS_QUERY = 'status';
export const CANCEL_SIGNAL = 'cancel';
/** Reason of a cancel by `slipway run --supersede`. */
export const SUPERSEDED = 'superseded by a run that was started later';
