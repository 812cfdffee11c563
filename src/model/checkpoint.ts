import type { Digest } from './digest.js';
import type { Problem } from './failure.js';
import type { RunId } from './ids.js';
import type { Notification } from './notice.js';
import type { Skeleton } from './plan.js';
import type { Audited } from './actions.js';

/** State of a run between two of its histories, as plain data. A run with a long history starts no further step and
 * waits for running ones. Then it stores its checkpoint and continues as new. */
export interface Checkpoint<Snapshot = object> {
  readonly skeleton: Skeleton;
  readonly scheduler: Snapshot;
  readonly cancelled: string | null;
  readonly refused: readonly Problem[];
  /** The last failures to send a notification, for the status. */
  readonly failedNotifications: readonly Problem[];
  /** Notifications whose sending had not ended. They are sent again under the same id. */
  readonly pendingNotifications: readonly PendingNotification[];
  /** Actions that the audit lacks, because the store did not take them. */
  readonly unaudited: readonly Audited[];
}

export interface PendingNotification extends Pick<Notification, 'notices' | 'more' | 'verdict'> {
  readonly to: string;
  /** Number of the notification in the run, or `verdict`. */
  readonly no: string;
}

/** Identity of a history's run, in the memo of the history. */
export type ContinuedMemo = Pick<Continued, 'run' | 'startedAt'>;

/** Input of the next history of a run. */
export interface Continued {
  /** Digest of the checkpoint's canonical JSON. */
  readonly checkpoint: Digest;
  readonly run: RunId;
  /** Temporal's first execution run id. A run that is started by hand cannot have it. */
  readonly first: string;
  /** Start of the run, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Number of this history, from 2. */
  readonly history: number;
  readonly inputs: number;
  readonly actions: number;
}

/** Activity `saveCheckpoint` on the control queue. Returns the digest of the checkpoint. */
export type SaveCheckpoint = (input: { readonly run: RunId; readonly checkpoint: Checkpoint }) => Promise<Digest>;

/** Activity `loadCheckpoint` on the control queue. Throws CHECKPOINT_MISSING and CHECKPOINT_ALTERED. */
export type LoadCheckpoint = (input: { readonly run: RunId; readonly digest: Digest }) => Promise<Checkpoint>;
