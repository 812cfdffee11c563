import type * as schema from './schema/command.js';
import type { Infer } from './schema/infer.js';
import type * as plan from './schema/plan.js';

/** Events of a run that listeners can subscribe to. */
export const NOTICE_EVENTS = ['held', 'failed', 'gate', 'reminder', 'outage', 'verdict'] as const;
export type NoticeEvent = (typeof NOTICE_EVENTS)[number];

export type Outlet = Infer<typeof schema.Outlet>;

export type Listener = Infer<typeof plan.Listener>;

/** When people are reminded of what waits for them. */
export type RemindTimes = Infer<typeof plan.Remind>;
