import type { Digest } from './digest.js';
import type { RunId, StepId } from './ids.js';
import type { NoticeEvent } from './listener.js';
import type { Verdict } from './messages.js';

/** One thing that waits for people. */
export interface Notice {
  readonly event: Exclude<NoticeEvent, 'verdict'>;
  readonly step: StepId;
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
  /** Of a held step: the code of its first problem. */
  readonly code?: string;
  readonly because: string;
  /** What to type. */
  readonly next: string;
  /** Of a gate: the bytes that it is about. */
  readonly manifest?: Digest;
}

/** Activity `tell` on the control queue: one message to one listener. It may come twice; its id is then the same. */
export interface Telling {
  readonly plan: Digest;
  readonly run: RunId;
  readonly workflowId: string;
  /** Name of the listener. */
  readonly to: string;
  /** `<run>/<number>`, or `<run>/verdict`. */
  readonly id: string;
  readonly notices: readonly Notice[];
  /** How many besides those are not told one by one. */
  readonly more: number;
  readonly verdict?: Verdict;
}
export type Tell = (telling: Telling) => Promise<void>;
