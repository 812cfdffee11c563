import type { Digest } from '../../../../model/digest.js';
import type { RunId } from '../../../../model/ids.js';
import type { ReplyState } from './reply.js';

/** Input of the workflow `comment`. */
export interface CommentInput {
  /** `OWNER/REPO`. */
  readonly repository: string;
  /** Number of the comment in GitHub. */
  readonly comment: number;
}

/** `OWNER/REPO`, as GitHub allows it. */
export const isRepository = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/.test(value);
export const isNumber = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

/** False if no line of a comment can be a directive. */
export const mayAsk = (body: string): boolean => /^ {0,3}\//m.test(body);

/** Workflow id of a comment, and the same for a delivery and for the poll. GitHub ignores case in names of repositories. */
export const commentIdOf = ({ repository, comment }: CommentInput): string =>
  `comment/${repository.toLowerCase()}/${comment}`;

/** Id of the schedule of a poll, and of the workflows that it starts. Temporal appends the time to the latter. */
export const pollIdOf = (repository: string): string => `comments/${repository.toLowerCase()}`;

/** Name of the record that a comment was read. */
export const commentRecord = ({ repository, comment }: CommentInput): string =>
  `comments/${repository.toLowerCase()}/${comment}`;

/** Label of the runs that a comment starts. */
export const labelOf = (pull: number, comment: number): string => `pr-${pull}-c${comment}`;

/** Place of the one reply to a comment. */
export interface ReplyPlace extends CommentInput {
  /** Number of the issue or the pull request. */
  readonly issue: number;
  /** Run id of the workflow, which marks the reply. Nobody knows it before the reply is there. */
  readonly mark: RunId;
  /** Time of the comment, ISO 8601. */
  readonly since: string;
}

/** Memo key of the run that a comment started. */
export const COMMENT_MEMO = 'comment';
export interface CommentMemo {
  readonly repository: string;
  readonly pull: number;
  readonly job: string;
  readonly workflowId: string;
}

/** A run to start: its plan is signed. */
export interface RunToStart {
  readonly type: string;
  readonly workflowId: string;
  readonly plan: Digest;
  /** Version of the scheduler's rules. */
  readonly engine: number;
  readonly by: string;
  readonly job: string;
}

/** What a comment asks for, after all checks. Null: nothing. */
export type CommentRead = null | {
  readonly place: ReplyPlace;
  readonly reply: ReplyState;
  readonly start?: RunToStart;
  /** Workflow ids of open runs to cancel. */
  readonly cancel?: readonly string[];
};

interface Asking {
  readonly run: RunId;
  readonly workflowId: string;
}

/** Activity `readComment` on the control queue. */
export type ReadComment = (input: CommentInput & Asking) => Promise<CommentRead>;

/** Activity `tellComment` on the control queue. Creates or changes the reply. Returns its number. Null: the comment is gone. */
export type TellComment = (
  input: { readonly place: ReplyPlace; readonly reply: ReplyState } & Asking,
) => Promise<number | null>;

/** Activity `followRun` on the queue of watches. Changes the reply until the run's verdict. Returns the verdict. */
export type FollowRun = (
  input: {
    readonly place: ReplyPlace;
    readonly reply: ReplyState;
    /** Number of the reply. Null: it was not told yet. */
    readonly told: number | null;
    readonly started: RunToStart;
    readonly startedRun?: RunId;
  } & Asking,
) => Promise<string>;

/** What the poll has seen: the time of the newest change, and the ETag of the page from there. */
export interface Seen {
  readonly since: string;
  readonly etag?: string;
}

/** Activity `listComments` on the control queue. Lists the comments since the last poll that were not read. */
export type ListComments = (input: { readonly seen?: Seen } & Asking) => Promise<{
  readonly seen: Seen;
  readonly unread: readonly CommentInput[];
}>;
