import type { ServerSettings } from '../adapters/temporal/settings.js';
import type { BisectInput, BisectStatus } from '../model/bisect.js';
import type { Problem } from '../model/failure.js';
import type { Heartbeat } from '../model/heartbeat.js';
import type { Queue, RunHead, RunId, StepId } from '../model/ids.js';
import type { ReleaseInput, RunState, RunStatus, VerdictName } from '../model/messages.js';
import type { Priority } from '../model/priority.js';
import type { Schedule, ScheduleRequest } from '../model/schedule.js';
import type { WorkflowName } from '../model/workflow-types.js';
import type { RerunPreview, Action, ActionAnswer } from '../model/actions.js';

/** Names a server. Without `home` and `address` it is that of TEMPORAL_ADDRESS, else that of the home SLIPWAY_HOME. */
export interface ConnectOptions {
  /** Folder of a home. Its server is asked, and its door's certificate proves that it is this one. */
  readonly home?: string;
  /** `temporal.example.org:7233`. It gets no certificate, key or namespace of the variables TEMPORAL_…. Beside `home`: where
   * the home's server is reached, which the door's certificate proves there too. */
  readonly address?: string;
  /** Default: `default`. */
  readonly namespace?: string;
  /** TLS of a server of one's own. The server of a home takes the certificates of its door. */
  readonly tls?: ServerSettings['tls'];
  readonly apiKey?: string;
  /** The mark: the value of `slipway` in the namespace's data. Default: SLIPWAY_MARK. */
  readonly mark?: string;
  /** Keys of payloads, named as in SLIPWAY_CODEC_KEYS, which is the default: `file:/run/secrets/codec.keys`. Empty: none. */
  readonly codecKeys?: string;
  /** Default: 5,000 milliseconds. */
  readonly connectTimeoutMs?: number;
}

/** A started run, or the open run of the same release. */
export interface Started {
  readonly workflowId: string;
  readonly run: string;
  readonly existing: boolean;
  /** Priority of an existing run, which a second start does not change. */
  readonly priority?: Priority;
}

export interface ReleaseClient {
  /** Throws RUN_HAS_OTHER_PLAN if an open run of this id has another plan. */
  start(input: ReleaseInput & RunHead): Promise<Started>;
  status(workflowId: string, run?: string): Promise<RunStatus>;
  /** Yields each changed status. Ends after the run has closed. */
  follow(workflowId: string, run?: string, signal?: AbortSignal): AsyncIterable<RunStatus>;
  /** Waits until the run has closed. Returns its last status, whatever its verdict. */
  result(workflowId: string, run?: string): Promise<RunStatus>;
  /** @param run cancels only this run, because a newer run may use the same workflow id
   * @param by who asks, for the audit */
  cancel(workflowId: string, reason: string, run?: string, by?: string): Promise<void>;
  /** Sends an action to an open run and waits for its answer, which may be a refusal. */
  act(workflowId: string, action: Action, run?: string): Promise<ActionAnswer>;
  /** Returns the effect of `retry --from` without applying it. */
  previewRerun(workflowId: string, step: StepId, run?: string): Promise<RerunPreview>;
  /** Starts a bisect, or returns the open one. */
  startBisect(workflowId: string, input: BisectInput): Promise<Started>;
  /** Throws BISECT_CANCELLED, or the failure that ended it without an answer: BISECT_LIMIT if ten began today. */
  bisectStatus(workflowId: string, run?: string): Promise<BisectStatus>;
  /** Starts a workflow, or joins the open one of this id. Returns its result. Throws WORKFLOW_CANCELLED. */
  carryOut<T>(type: WorkflowName, workflowId: string, args: readonly unknown[]): Promise<T>;
  /** Returns runs of releases and pipelines that Temporal knows, newest start first, at most `limit`.
   * @param type workflows of another type in their place */
  runs(limit: number, type?: WorkflowName): Promise<readonly Recent[]>;
  /** Returns the problems of each step's last attempt. Reads the history, so no worker is needed. */
  failures(workflowId: string, run: RunId): Promise<ReadonlyMap<StepId, readonly Problem[]>>;
  readonly schedules: Schedules;
  readonly deployments: Deployments;
  workers(): Promise<readonly WorkerHeartbeat[]>;
  /** Returns recent pollers of these queues, including programs other than workers. */
  pollers(queues: readonly Queue[]): Promise<readonly WorkerPoller[]>;
  close(): Promise<void>;
}

/** Temporal's worker deployments: builds of the workflow code that serve at the same time. */
export interface Deployments {
  /** Throws DEPLOYMENTS_UNSUPPORTED. */
  read(): Promise<DeploymentView>;
  /** Makes a build the current one. A ramp of another build goes on. */
  current(build: Build): Promise<void>;
  /** Sends a part of new runs to a build. 0 ends the ramp. */
  ramp(build: Build, percent: number): Promise<void>;
}

export interface DeploymentView {
  /** By deployment, newest build first. */
  readonly builds: readonly Build[];
  /** Identities of workers of workflow code without a deployment, if there are deployments. */
  readonly unversioned: readonly string[];
}

export interface Build {
  readonly deployment: string;
  readonly build: string;
  /** new: it never took a run. draining: runs are open that only this build serves. drained: none is. */
  readonly state: 'new' | 'current' | 'ramping' | 'draining' | 'drained' | 'unknown';
  /** Share of new runs in percent. Only a ramping build has one. */
  readonly percent?: number;
  /** When its state began, in milliseconds since 1970. */
  readonly sinceMs: number;
  /** Live workers. */
  readonly workers: number;
  /** Open runs that no other build carries on. */
  readonly open: number;
}

/** Temporal Schedules of pipelines, by the pipeline's name. */
export interface Schedules {
  /** Makes a schedule, or gives an existing one new times and options. Throws SCHEDULE_OF_OTHER_FILE. */
  put(request: ScheduleRequest): Promise<{ readonly created: boolean }>;
  /** Null if there is none. */
  find(pipeline: string): Promise<Schedule | null>;
  /** Returns all, by name. The server shows a new one after some milliseconds. */
  list(): Promise<readonly Schedule[]>;
  /** Throws SCHEDULE_UNKNOWN, as the next two do. */
  pause(pipeline: string, note: string): Promise<void>;
  resume(pipeline: string, note: string): Promise<void>;
  /** Runs that it started go on. */
  delete(pipeline: string): Promise<void>;
}

/** An open or closed run; `startedAt` in milliseconds since 1970. */
export interface Recent {
  readonly workflowId: string;
  readonly run: string;
  readonly startedAt: number;
  readonly open: boolean;
  /** The last reported state of an open run. */
  readonly state?: RunState;
  /** Steps of an open run that wait for an action. */
  readonly held?: number;
  readonly endedAt?: number;
  /** The verdict of a closed run, as `status` tells it. */
  readonly verdict?: VerdictName;
}

/** An activity worker. `silent` is true if its heartbeats have stopped. */
export interface WorkerHeartbeat extends Heartbeat {
  readonly silent: boolean;
}

/** A program that polled a queue recently. It may send no heartbeats. */
export interface WorkerPoller {
  readonly identity: string;
  readonly queue: Queue;
  readonly atMs: number;
}
