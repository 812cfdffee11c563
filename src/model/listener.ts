import type * as schema from './schema/command.js';
import type { Infer } from './schema/infer.js';

/** Events of a run that listeners can subscribe to. */
export const NOTICE_EVENTS = ['held', 'failed', 'gate', 'reminder', 'outage', 'verdict'] as const;
export type NoticeEvent = (typeof NOTICE_EVENTS)[number];

export type Outlet = Infer<typeof schema.Outlet>;

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
