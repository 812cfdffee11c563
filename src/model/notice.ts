import type { Digest } from './digest.js';
import type { RunId, StepId } from './ids.js';
import type { Verdict } from './messages.js';

/** What people outside can be told of a run. */
export const NOTICE_EVENTS = ['held', 'gate', 'reminder', 'verdict'] as const;
export type NoticeEvent = (typeof NOTICE_EVENTS)[number];

/** Where a message goes. Secrets are references: `$NAME`, `file:/path`, `command:line`. */
export type Outlet =
  | { readonly by: 'webhook'; readonly url: string; readonly headers: Readonly<Record<string, string>> }
  | {
      readonly by: 'command';
      /** A shell line for `sh -eu -c`; `{files}` stays for the worker. */
      readonly line: string;
      /** Variables of the worker that the line gets, and no others. */
      readonly secrets: readonly string[];
    };

/** One entry of `notify:`. */
export interface Listener {
  readonly name: string;
  readonly on: readonly NoticeEvent[];
  /** Whether it is told of rehearsals too. */
  readonly rehearsal: boolean;
  readonly outlet: Outlet;
  /** Prefixes of bundle files that its line reads. */
  readonly files: readonly string[];
}

/** When people are reminded of what waits for their word. */
export interface RemindTimes {
  /** After it was first told. */
  readonly afterMs: number;
  /** From then on. */
  readonly everyMs: number;
}

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
