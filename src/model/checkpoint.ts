import type { Digest } from './digest.js';
import type { Problem } from './failure.js';
import type { RunId } from './ids.js';
import type { Notification } from './notice.js';
import type { Skeleton } from './plan.js';
import type { Audited } from './actions.js';

/** State of a run between two of its histories, as plain data. A run whose history has grown long starts nothing new, lets
 * what runs end, saves its checkpoint in the store and continues as new. */
export interface Checkpoint<Snapshot = object> {
  readonly skeleton: Skeleton;
  /** Snapshot of the scheduler. */
  readonly scheduler: Snapshot;
  /** Why the run is cancelled. Null if it is not. */
  readonly cancelled: string | null;
  /** The last actions that were refused, for the status. */
  readonly refused: readonly Problem[];
  /** The last messages to people that did not arrive, for the status. */
  readonly failedNotifications: readonly Problem[];
  /** Messages that are sent again because their sending had not ended. A listener knows them by their id. */
  readonly pendingNotifications: readonly PendingNotification[];
  /** Actions that the audit lacks, because the store did not take them. */
  readonly unaudited: readonly Audited[];
}

/** A message to one listener. */
export interface PendingNotification extends Pick<Notification, 'notices' | 'more' | 'verdict'> {
  /** Name of the listener. */
  readonly to: string;
  /** Number of the message in the run, or `verdict`. */
  readonly no: string;
}

/** The run that a history belongs to, in the memo of the history. */
export type ContinuedMemo = Pick<Continued, 'run' | 'startedAt'>;

/** Input of the next history of a run, from the one before. */
export interface Continued {
  /** Digest of the checkpoint's canonical JSON. */
  readonly checkpoint: Digest;
  /** The run's id: that of its first history. */
  readonly run: RunId;
  /** Temporal's id of the chain of histories. Nobody can give it to a run that is started by hand. */
  readonly first: string;
  /** When the run began, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Number of this history, from 2. */
  readonly history: number;
  /** Number of the last input. */
  readonly inputs: number;
  /** Number of the last action. */
  readonly actions: number;
}

/** Activity `saveCheckpoint` on the control queue. Returns the digest of the checkpoint. */
export type SaveCheckpoint = (input: { readonly run: RunId; readonly checkpoint: Checkpoint }) => Promise<Digest>;

/** Activity `loadCheckpoint` on the control queue. Throws CHECKPOINT_MISSING and CHECKPOINT_ALTERED. */
export type LoadCheckpoint = (input: { readonly run: RunId; readonly digest: Digest }) => Promise<Checkpoint>;
