/** When a schedule starts runs: at intervals counted from 1970, or at the minutes of a cron line in UTC. */
export type Rhythm = { readonly everyMs: number } | { readonly cron: string };

const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const EVERY = /^(\d{1,8})(s|m|h|d)$/;
const SHORTEST_MS = UNITS_MS.m;
const LONGEST_MS = 365 * UNITS_MS.d;

export type Parsed = { readonly rhythm: Rhythm } | { readonly faults: readonly string[] };

/** Parses `15m`, from one minute to a year. */
export function parseEvery(text: string): Parsed {
  const [, count, unit] = EVERY.exec(text) ?? [];
  if (count === undefined || unit === undefined) return { faults: ['it is no number with a unit: s, m, h or d'] };
  const everyMs = Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
  if (everyMs < SHORTEST_MS) return { faults: ['it is shorter than a minute'] };
  if (everyMs > LONGEST_MS) return { faults: ['it is longer than 365d'] };
  return { rhythm: { everyMs } };
}

/** Returns an interval as a person writes it: `15m`. */
export function everyText(everyMs: number): string {
  const [unit, ms] = Object.entries(UNITS_MS).findLast(([, size]) => everyMs % size === 0) ?? ['ms', 1];
  return `${everyMs / ms}${unit}`;
}

interface Field {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Names of the values, from `from` on. */
  readonly words?: readonly string[];
}
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const FIELDS: readonly Field[] = [
  { name: 'minute', from: 0, to: 59 },
  { name: 'hour', from: 0, to: 23 },
  { name: 'day of the month', from: 1, to: 31 },
  { name: 'month', from: 1, to: 12, words: MONTHS },
  { name: 'day of the week', from: 0, to: 7, words: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] },
];
const LONGEST_LINE = 200;
const ITEM = /^(?:\*|([A-Za-z0-9]+)(?:-([A-Za-z0-9]+))?)(?:\/(\d{1,2}))?$/;

/** Parses a cron line: minute, hour, day of the month, month, day of the week. Returns all faults. */
export function parseCron(text: string): Parsed {
  const fields = text.trim().split(/\s+/);
  if (text.length > LONGEST_LINE) return { faults: [`it has more than ${LONGEST_LINE} characters`] };
  if (fields.length !== FIELDS.length)
    return { faults: [`it has ${fields.length === 1 ? '1 field' : `${fields.length} fields`}, not 5`] };
  const faults = fields.flatMap((field, at) => fieldFaults(field, FIELDS[at]!));
  if (faults.length > 0) return { faults };
  const [, , days, months] = fields as [string, string, string, string];
  return isEver(days, months)
    ? { rhythm: { cron: fields.join(' ') } }
    : { faults: [`no month of "${months}" has the day "${days}"`] };
}

const fieldFaults = (text: string, field: Field): readonly string[] =>
  text.split(',').flatMap((item) => itemFault(item, field) ?? []);

function itemFault(item: string, field: Field): string | null {
  const told = `${field.name} "${item}"`;
  const [whole, first, last, step] = ITEM.exec(item) ?? [];
  if (whole === undefined) return `${told} is no value, range or step`;
  if (step !== undefined && Number(step) === 0) return `${told} has the step 0`;
  const ends = [first, last].flatMap((end) => (end === undefined ? [] : [valueOf(end, field)]));
  if (ends.some((end) => end === null)) return `${told} is not within ${field.from}-${field.to}`;
  const [from, to] = ends as number[];
  return to !== undefined && to < from! ? `${told} ends before it begins` : null;
}

/** Returns the number of a value. Null if the field has no such value. */
function valueOf(text: string, { from, to, words = [] }: Field): number | null {
  const word = words.indexOf(text.toUpperCase());
  if (word >= 0) return word + from;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : NaN;
  return value >= from && value <= to ? value : null;
}

const LONGEST_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** True if one of the months has one of the days. */
function isEver(days: string, months: string): boolean {
  const [, , day, month] = FIELDS as [Field, Field, Field, Field];
  const first = Math.min(...valuesOf(days, day));
  return [...valuesOf(months, month)].some((one) => first <= LONGEST_MONTHS[one - 1]!);
}

function valuesOf(text: string, field: Field): ReadonlySet<number> {
  const values = text.split(',').flatMap((item) => {
    const [, first, last, step] = ITEM.exec(item)!;
    const from = first === undefined ? field.from : valueOf(first, field)!;
    const to = last === undefined ? (first === undefined || step ? field.to : from) : valueOf(last, field)!;
    const by = Number(step ?? 1);
    return Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, at) => from + at * by);
  });
  return new Set(values);
}
