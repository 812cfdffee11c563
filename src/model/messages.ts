import type { Continued } from './checkpoint.js';
import type { Digest } from './digest.js';
import type { Problem } from './failure.js';
import type { GateStatus, Openings } from './gate.js';
import type { Queue, RunHead, RunId, StepId } from './ids.js';
import type { KindName } from './kinds.js';
import type { Outage } from './outage.js';
import type { Skeleton } from './plan.js';
import type { Priority } from './priority.js';
import type { StageId } from './stages.js';
import type { FleetSeen, Slots, UnservedQueue } from './worker.js';

/** Input of the workflows `release` and `pipeline`, typed by hand in the Temporal UI or sent by the client. */
export interface ReleaseInput {
  /** Path of a release file on the control worker's host; or … */
  readonly file?: string;
  /** … the digest of a plan that is already in the store. */
  readonly plan?: Digest;
  readonly profile?: string;
  readonly by?: string;
  /** A step that failed for good: `hold` (the default) waits for an action, `fail` ends what stands on it. */
  readonly onFailure?: 'hold' | 'fail';
  /** A rehearsal passes gates at once, unless it is told to stop at them. */
  readonly stopAtGates?: boolean;
  /** Nothing is looked up, or nothing for these steps (ids, or what they begin with up to a `/`): they are made anew. */
  readonly noCache?: true | readonly string[];
  /** Priority of a run that is started by hand. Our client gives it to Temporal, which applies it to the whole run. */
  readonly priority?: Priority;
  /** Rules of the scheduler, by their number; absent: the first. A run that continues as new takes up the newest. */
  readonly engine?: number;
  /** Events of a history after which the run continues as new. For tests. */
  readonly continueAfter?: number;
  /** Only the run itself gives it, when it continues as new. */
  readonly continued?: Continued;
}

/** Activity `makePlan` on the control queue. */
export type MakePlan = (
  input: ReleaseInput & { readonly run: RunId; readonly workflowId: string },
) => Promise<Skeleton>;

/** Activity `keepStatus` on the control queue: a run's last status, in the store for when Temporal has forgotten it. */
export type KeepStatus = (status: RunStatus) => Promise<void>;

/** Key of the memo that holds the digest of a run's plan: read without a worker. */
export const PLAN_MEMO = 'plan';

/** Key of the memo that holds `ContinuedMemo`: from the second history of a run on. */
export const CONTINUED_MEMO = 'continued';

/** Input of every step's activity: digests and ids, never a payload that grows with the graph. */
export interface StepInput extends BehindSeal {
  readonly plan: Digest;
  readonly step: StepId;
  readonly run: RunId;
  /** The engine's count, from 1; Temporal's own retries for lost workers are not counted here. */
  readonly attempt: number;
  /** The run's last round when the attempt was started; absent in the first. */
  readonly round?: number;
  /** It is made anew, whatever is known of it. */
  readonly noCache?: true;
}
/** Input of a step behind the seal, from the run's history. Records of the store may be altered; history is not. */
export interface BehindSeal {
  /** Digest of the manifest that this run sealed; absent where nothing is sealed. */
  readonly sealed?: Digest;
  /** Absent where no gate opened. */
  readonly openings?: Openings;
}
export interface StepEnding {
  readonly outcome: 'done' | 'cached';
  readonly ms: number;
  readonly worker: string;
  /** One line for people, from the result. */
  readonly note: string;
  /** Digest of the manifest; only the seal's ending has it. */
  readonly sealed?: Digest;
}
export type StepActivity = (input: StepInput) => Promise<StepEnding>;

/** Details of a heartbeat: the last line of the log, or what the attempt waits for. */
export type HeartbeatDetails = string | null | { readonly waits: string };

/** A coded failure crosses Temporal as ApplicationFailure: type = code, nonRetryable, details = [FailureDetails]. */
export interface FailureDetails {
  readonly problems: readonly Problem[];
}

export type StepState =
  | 'waiting'
  | 'running'
  | 'backing off'
  | 'held'
  | 'at gate'
  | 'done'
  | 'cached'
  | 'failed'
  | 'skipped'
  | 'cancelled'
  | 'dropped';

export interface StepStatus {
  readonly id: StepId;
  readonly kind: KindName | null;
  readonly stage: StageId | null;
  readonly state: StepState;
  readonly attempt: number;
  /** Milliseconds since 1970. */
  readonly startedAt?: number;
  /** True for a scheduled step that no worker has started. The client asks Temporal for it. */
  readonly queued?: true;
  /** When it tries again. */
  readonly againAt?: number;
  /** Since when it waits for an action. */
  readonly heldAt?: number;
  readonly ms?: number;
  /** The reason why it was skipped or dropped, or waits. */
  readonly because?: string;
  readonly note?: string;
  readonly problems?: readonly Problem[];
  /** Approvers and manifest of a gate that waits. */
  readonly gate?: GateStatus;
}

/** Steps of a run that stand still because nobody serves their queue. */
export interface WaitingQueue extends UnservedQueue {
  /** Open steps of the queue that could go on if somebody served it. */
  readonly steps: number;
  /** When the first of them fails, if the release file limits the wait. */
  readonly until?: number;
  /** The command to type, and the machine to type it on. */
  readonly could: string;
}

/** Activity `watchFleet` on the queue FLEET: answers once other queues than `unserved` have nobody who serves them, or slots have
 * become more or fewer. */
export type WatchFleet = (input: { readonly queues: readonly Queue[] } & FleetSeen) => Promise<FleetSeen>;

/** `held`: nothing goes on without an action. `at gate`: nothing goes on before a gate is passed. `paused`: somebody said so. `waiting`: some step waits for a queue that nobody serves; others may go on. */
export type RunState = 'planning' | 'running' | 'waiting' | 'held' | 'at gate' | 'paused' | 'cancelling' | 'ended';
export type VerdictName = 'released' | 'rehearsed' | 'done' | 'failed' | 'cancelled';
/** Verdicts of runs that reached their end: a release, a rehearsal, a pipeline. */
export const GOOD_VERDICTS: readonly (VerdictName | undefined)[] = ['released', 'rehearsed', 'done'];
export interface Verdict {
  readonly verdict: VerdictName;
  readonly reasons: readonly string[];
}

/** Answer of the query `status`; also stored by the report step and part of the workflow's result. */
export interface RunStatus extends RunHead {
  readonly workflowId: string;
  readonly run: RunId;
  readonly plan: Digest | null;
  readonly state: RunState;
  readonly startedAt: number;
  readonly endedAt?: number;
  /** Rules that its scheduler decides by now. */
  readonly engine?: number;
  /** Number of the run's history, from 2 on. A long run continues as new under the same workflow id. */
  readonly history?: number;
  /** All steps in the order of the plan. A status that is too large for a payload lacks details, then steps that went well. */
  readonly steps: readonly StepStatus[];
  readonly verdict?: Verdict;
  /** Queues that nobody serves and that steps wait for. */
  readonly waiting?: readonly WaitingQueue[];
  /** Slots of the queues of which they are known, and how many steps of the run may be under way there at once. */
  readonly slots?: Slots;
  readonly windows?: Readonly<Record<Queue, number>>;
  /** Services that did not answer, and for which steps waited: those that still do not answer, then those that do again. */
  readonly outages?: readonly Outage[];
  /** Problems of the run itself: planning failed, an unclassed error. */
  readonly problems: readonly Problem[];
  /** The person who paused the run, and the reason. */
  readonly paused?: string;
  /** The last actions that were refused: whoever sent a signal gets no answer. */
  readonly refused?: readonly Problem[];
  /** Messages to people outside that did not arrive, the last ones. */
  readonly failedNotifications?: readonly Problem[];
  /** Why the run itself waits: what its workers tell, or a long history. A step has its own reason. */
  readonly waits?: string;
}

export const STATUS_QUERY = 'status';
export const CANCEL_SIGNAL = 'cancel';
