import type { OutageNotice } from '../../model/notice.js';
import type { Outage, Service } from '../../model/outage.js';

/** Delay before the notification of an outage, so that a short one causes none. */
export const OUTAGE_TOLD_MS = 60_000;

export interface OutageNews {
  readonly notices: readonly OutageNotice[];
  /** Reported outages: service, and start of the outage. */
  readonly told: Readonly<Record<Service, number>>;
  /** Time of the next possible notification without a new input. Null if never. */
  readonly nextMs: number | null;
}

export function outageNews(outages: readonly Outage[], told: OutageNews['told'], nowMs: number): OutageNews {
  const isKnown = ({ service, since }: Outage): boolean => told[service] === since;
  const fresh = outages.filter((outage) => outage.until === undefined && !isKnown(outage));
  const begun = fresh.filter(({ since }) => since + OUTAGE_TOLD_MS <= nowMs);
  const over = outages.filter((outage) => outage.until !== undefined && isKnown(outage));
  const later = fresh.map(({ since }) => since + OUTAGE_TOLD_MS).filter((atMs) => atMs > nowMs);
  const gone = new Set(over.map(({ service }) => service));
  return {
    notices: [...begun, ...over].map(noticeOf),
    told: Object.fromEntries([
      ...Object.entries(told).filter(([service]) => !gone.has(service)),
      ...begun.map(({ service, since }) => [service, since] as const),
    ]),
    nextMs: later.length === 0 ? null : Math.min(...later),
  };
}

const noticeOf = ({ service, since, until, steps, message, next }: Outage): OutageNotice => ({
  ...{ event: 'outage', service, sinceMs: since, ...(until !== undefined && { untilMs: until }), steps },
  because: message,
  next: until === undefined ? next : 'Nothing: the steps that waited go on.',
});
