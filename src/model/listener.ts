/** Events of a run that listeners can subscribe to. */
export const NOTICE_EVENTS = ['held', 'failed', 'gate', 'reminder', 'outage', 'verdict'] as const;
export type NoticeEvent = (typeof NOTICE_EVENTS)[number];

/** Destination of a notification. Secrets are references: `$NAME`, `file:/path`, `command:line`. */
export type Outlet =
  | { readonly by: 'webhook'; readonly url: string; readonly headers: Readonly<Record<string, string>> }
  | {
      readonly by: 'command';
      /** A shell line for `sh -eu -c`. */
      readonly line: string;
      /** Values that the line reads from its environment, by variable. Absent if it reads none. */
      readonly vars?: Readonly<Record<string, string>>;
      /** The only variables of the worker that the line gets. */
      readonly secrets: readonly string[];
    };

export interface Listener {
  readonly name: string;
  readonly on: readonly NoticeEvent[];
  readonly rehearsal: boolean;
  readonly outlet: Outlet;
  /** Prefixes of bundle files that its line reads. */
  readonly files: readonly string[];
}

/** When people are reminded of what waits for them. */
export interface RemindTimes {
  /** Time from the first notification to the first reminder. */
  readonly afterMs: number;
  readonly everyMs: number;
}
