import type { Digest } from '../../../../model/digest.js';
import type { RunId } from '../../../../model/ids.js';
import { bare, linesIn } from './quiet.js';
import type { ReplyState } from './reply.js';

/** Input of the workflow `comment`: OWNER/REPO and the number of a comment. */
export interface CommentInput {
  readonly repository: string;
  readonly comment: number;
}

/** False if no line of a comment can be a directive. */
export const mayAsk = (body: string): boolean => linesIn(body).some((line) => /^ {0,3}\//.test(bare(line)));

/** Workflow id, the same for a delivery and for the poll. GitHub ignores case in names of repositories. */
export const commentIdOf = ({ repository, comment }: CommentInput): string =>
  `comment/${repository.toLowerCase()}/${comment}`;
/** Record that a comment was read. */
export const commentRecord = (input: CommentInput): string => commentIdOf(input).replace('comment', 'comments');
/** Id of the schedule of a poll. Temporal appends the time to ids of its workflows. */
export const pollIdOf = (repository: string): string => `comments/${repository.toLowerCase()}`;

/** Memo key of a workflow whose run is open, and its value. */
export const COMMENT_MEMO = 'comment';
export interface CommentMemo {
  readonly repository: string;
  readonly pull: number;
  readonly job: string;
  readonly workflowId: string;
}

/** A run to start. `plan` is signed. `engine`: version of the scheduler's rules. */
export interface RunToStart {
  readonly type: string;
  readonly plan: Digest;
  readonly engine: number;
  readonly by: string;
  readonly memo: CommentMemo;
}

/** A reply and its place: `issue` is its pull request, `since` the time of the comment (ISO 8601). */
export interface Telling {
  readonly place: { readonly issue: number; readonly since: string };
  readonly reply: ReplyState;
}
/** What a comment asks for, after all checks. Null: nothing. `cancel`: workflow ids of open runs. */
export type CommentRead = null | (Telling & { readonly start?: RunToStart; readonly cancel?: readonly string[] });
/** The newest change that a poll has seen, and the ETag of the page from there. */
export interface Seen {
  readonly since: string;
  readonly etag?: string;
}

/** Activities on the control queue, and `followRun` on the queue of watches. */
export interface CommentActivities {
  readComment(input: CommentInput): Promise<CommentRead>;
  /** Creates or changes the reply. Returns its number. Null: the pull request is gone. */
  tellComment(input: Telling): Promise<number | null>;
  /** Lists comments that were not read. */
  listComments(last?: Seen): Promise<{ readonly seen: Seen; readonly unread: readonly CommentInput[] }>;
  /** Changes the reply until the verdict, which it returns. `told`: number of the reply, null if it was not told yet. `run`: run of the
   * workflow, null if another comment started it. */
  followRun(
    input: Telling & { readonly told: number | null; readonly workflowId: string; readonly run: RunId | null },
  ): Promise<string>;
}
