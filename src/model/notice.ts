import type { Digest } from './digest.js';
import type { RunId, StepId } from './ids.js';
import type { NoticeEvent } from './listener.js';
import type { Verdict } from './messages.js';
import type { Service } from './outage.js';

export type Notice = StepNotice | OutageNotice;

export interface StepNotice {
  readonly event: Exclude<NoticeEvent, 'verdict' | 'outage'>;
  readonly step: StepId;
  readonly sinceMs: number;
  /** Code of the first problem of a held or failed step. */
  readonly code?: string;
  readonly because: string;
  /** The first error in the output of a held or failed step, in one line. */
  readonly firstError?: string;
  readonly next: string;
  readonly manifest?: Digest;
}

/** Beginning or end of an outage. */
export interface OutageNotice {
  readonly event: 'outage';
  readonly service: Service;
  readonly sinceMs: number;
  /** End of the outage. Absent while it lasts. */
  readonly untilMs?: number;
  readonly steps: number;
  readonly because: string;
  readonly next: string;
}

/** Number of notices that were not sent in full, by event. */
export type UnsentNotices = Readonly<Partial<Record<NoticeEvent, number>>>;

/** Activity `tell` on the control queue: one notification to one listener. A repeated one has the same id. */
export interface Notification {
  readonly plan: Digest;
  readonly run: RunId;
  readonly workflowId: string;
  readonly to: string;
  /** `<run>/<number>`, or `<run>/verdict`. */
  readonly id: string;
  readonly notices: readonly Notice[];
  /** Number of further notices that are only counted. */
  readonly more: number;
  readonly verdict?: Verdict;
}
export type Notify = (telling: Notification) => Promise<void>;
