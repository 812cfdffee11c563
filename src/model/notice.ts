import type { Digest } from './digest.js';
import type { RunId, StepId } from './ids.js';
import type { NoticeEvent } from './listener.js';
import type { Verdict } from './messages.js';
import type { Service } from './outage.js';

/** One thing that people are told. */
export type Notice = StepNotice | OutageNotice;

/** A step that waits for people. */
export interface StepNotice {
  readonly event: Exclude<NoticeEvent, 'verdict' | 'outage'>;
  readonly step: StepId;
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
  /** The code of the first problem of a held step. */
  readonly code?: string;
  readonly because: string;
  /** The first error in the output of a held step, in one line. */
  readonly firstError?: string;
  /** The command to type. */
  readonly next: string;
  /** The manifest that a gate is about. */
  readonly manifest?: Digest;
}

/** A service that does not answer, or does again. */
export interface OutageNotice {
  readonly event: 'outage';
  readonly service: Service;
  readonly sinceMs: number;
  /** Absent: it does not answer yet. */
  readonly untilMs?: number;
  /** That wait for it, or did. */
  readonly steps: number;
  readonly because: string;
  readonly next: string;
}

/** Notices that are only counted, by event. */
export type UnsentNotices = Readonly<Partial<Record<NoticeEvent, number>>>;

/** Activity `tell` on the control queue: one message to one listener. It may come twice; its id is then the same. */
export interface Notification {
  readonly plan: Digest;
  readonly run: RunId;
  readonly workflowId: string;
  /** Name of the listener. */
  readonly to: string;
  /** `<run>/<number>`, or `<run>/verdict`. */
  readonly id: string;
  readonly notices: readonly Notice[];
  /** Number of further notices, which are only counted. */
  readonly more: number;
  readonly verdict?: Verdict;
}
export type Notify = (telling: Notification) => Promise<void>;
