import type { Problem } from '../model/failure.js';
import type { Queue, RunId, StepId } from '../model/ids.js';
import type { ReleaseInput, RunState, RunStatus } from '../model/messages.js';
import type { Priority } from '../model/priority.js';
import type { RerunPreview, Word, WordAnswer } from '../model/words.js';
import type { WorkerHeartbeat, WorkerPoller } from './workers.js';

/** Started or found: the same release twice is the same run. */
export interface Started {
  readonly workflowId: string;
  readonly run: string;
  readonly existing: boolean;
  /** Of one that was open already: what it was started with, and keeps. */
  readonly priority?: Priority;
}

/** Typed door to Temporal for CI and CLI. */
export interface ReleaseClient {
  /** Refuses with RUN_HAS_OTHER_PLAN when an open run of this id carries another plan. */
  start(
    input: ReleaseInput & { readonly name: string; readonly version: string; readonly rehearsal: boolean },
  ): Promise<Started>;
  status(workflowId: string, run?: string): Promise<RunStatus>;
  /** Yields whenever something changed, and ends after the run's end. */
  watch(workflowId: string, run?: string, signal?: AbortSignal): AsyncIterable<RunStatus>;
  /** @param run this run and no other of the id, which another may have taken over */
  cancel(workflowId: string, reason: string, run?: string): Promise<void>;
  /** Says a word to an open run and waits for its answer; a refusal is an answer too. */
  say(workflowId: string, word: Word, run?: string): Promise<WordAnswer>;
  /** What `retry --from` would do to a run, before it is said. */
  previewRerun(workflowId: string, step: StepId, run?: string): Promise<RerunPreview>;
  /** Releases that Temporal remembers, newest start first, at most `limit`. */
  recent(limit: number): Promise<readonly Recent[]>;
  /** What steps of a run failed with last, from its history: no worker need live. */
  failures(workflowId: string, run: RunId): Promise<ReadonlyMap<StepId, readonly Problem[]>>;
  /** Workers of steps that the server knows, on all queues. */
  workers(): Promise<readonly WorkerHeartbeat[]>;
  /** Programs that asked for steps of these queues lately, whatever they are. */
  pollers(queues: readonly Queue[]): Promise<readonly WorkerPoller[]>;
  close(): Promise<void>;
}

/** A release that runs or ran; `startedAt` in milliseconds since 1970. */
export interface Recent {
  readonly workflowId: string;
  readonly run: string;
  readonly startedAt: number;
  readonly open: boolean;
  /** Of an open one, as it last told the server. */
  readonly state?: RunState;
}
