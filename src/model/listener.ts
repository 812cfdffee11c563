/** What people outside can be told of a run. */
export const NOTICE_EVENTS = ['held', 'gate', 'reminder', 'outage', 'verdict'] as const;
export type NoticeEvent = (typeof NOTICE_EVENTS)[number];

/** Where a message goes. Secrets are references: `$NAME`, `file:/path`, `command:line`. */
export type Outlet =
  | { readonly by: 'webhook'; readonly url: string; readonly headers: Readonly<Record<string, string>> }
  | {
      readonly by: 'command';
      /** A shell line for `sh -eu -c`. */
      readonly line: string;
      /** Values that it reads of its environment, by variable; absent where it reads none. */
      readonly vars?: Readonly<Record<string, string>>;
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

/** When people are reminded of what waits for them. */
export interface RemindTimes {
  /** After it was first told. */
  readonly afterMs: number;
  /** From then on. */
  readonly everyMs: number;
}
