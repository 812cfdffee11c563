import { type IndexUse, NO_USE, type ReadSpan } from '../../../model/index-use.js';

/** Logs are rotated at moments without requests. Two spans this close count as one. */
const GAP_MS = 86_400_000;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const isTime = (value: unknown): value is string => typeof value === 'string' && TIME.test(value);

/** Merges records: the last GET of each file counts, and all spans that were read. */
export function mergedUse(all: readonly IndexUse[]): IndexUse {
  const fetched = new Map<string, string>();
  for (const one of all)
    for (const [key, at] of Object.entries(one.fetched)) {
      const before = fetched.get(key);
      if (before === undefined || before < at) fetched.set(key, at);
    }
  return {
    ...NO_USE,
    read: joined(all.flatMap(({ read }) => read)),
    fetched: Object.fromEntries([...fetched].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function joined(spans: readonly ReadSpan[]): readonly ReadSpan[] {
  const all: ReadSpan[] = [];
  for (const span of spans.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    const last = all.at(-1);
    if (last === undefined || Date.parse(span.from) - Date.parse(last.to) > GAP_MS) all.push(span);
    else if (span.to > last.to) all[all.length - 1] = { from: last.from, to: span.to };
  }
  return all;
}

/** Returns the time since which every GET is known. Null if the logs do not reach the present: they must end within
 * the last day. */
export function knownSince({ read }: IndexUse, nowMs: number): string | null {
  const last = read.at(-1);
  return last === undefined || nowMs - Date.parse(last.to) > GAP_MS ? null : last.from;
}

/** Returns a record as it was stored, without what is damaged. Damage only makes wheels stay. */
export function readUse(value: unknown): IndexUse {
  const { read, fetched } = (value ?? {}) as Partial<Record<keyof IndexUse, unknown>>;
  const spans = Array.isArray(read) ? (read as readonly Partial<ReadSpan>[]) : [];
  const entries = fetched !== null && typeof fetched === 'object' ? Object.entries(fetched) : [];
  return {
    ...NO_USE,
    read: spans.filter((span): span is ReadSpan => isTime(span?.from) && isTime(span.to) && span.from <= span.to),
    fetched: Object.fromEntries(entries.filter(([, at]) => isTime(at))),
  };
}
