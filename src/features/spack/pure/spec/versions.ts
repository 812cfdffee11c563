/** Versions that sort above all others, in this order. */
const ABOVE_ALL = ['stable', 'nightly', 'trunk', 'head', 'master', 'main', 'develop'];
const BEFORE_RELEASE = ['alpha', 'beta', 'rc'];

/** A segment of a version as a pair that sorts: its group, then a number or a text. A version that ends sorts as END. */
type Segment = readonly [group: number, value: number | string];
const [PRE, END, WORD, NUMBER, ABOVE, BEHIND_ALL] = [0, 1, 2, 3, 4, 5];

export interface Version {
  readonly text: string;
  readonly segments: readonly Segment[];
}

/** Versions from `from` to `to`, both with all that begins with them: `1.2:1.4` has 1.4.9. Null: no bound. */
export interface VersionRange {
  readonly from: Version | null;
  readonly to: Version | null;
  /** True for `=1.2`: that version alone, without 1.2.1. */
  readonly isExact: boolean;
}

export function versionOf(text: string): Version {
  const parts = [...text.matchAll(/(\d+)|([A-Za-z]+)/g)].map(([part]) => part);
  const at = parts.length - (/^\d/.test(parts.at(-1) ?? '') ? 2 : 1);
  const before = at > 0 ? BEFORE_RELEASE.indexOf(parts[at]!) : -1;
  return {
    text,
    segments: parts.map((part, index) => (index === at && before >= 0 ? [PRE, before] : segmentOf(part))),
  };
}

function segmentOf(part: string): Segment {
  if (/^\d/.test(part)) return [NUMBER, Number(part)];
  const above = ABOVE_ALL.indexOf(part);
  return above < 0 ? [WORD, part] : [ABOVE, above];
}

/** Returns a negative number if `a` is lower, 0 if both are equal. @param end the place of a segment behind the last one */
function compare(a: Version, b: Version, end: Segment = [END, 0]): number {
  for (let at = 0; at < Math.max(a.segments.length, b.segments.length); at += 1) {
    const [group, value] = a.segments[at] ?? end;
    const [otherGroup, other] = b.segments[at] ?? end;
    if (group !== otherGroup) return group - otherGroup;
    if (value !== other) return value < other ? -1 : 1;
  }
  return 0;
}

/** Compares the ends of two ranges: 1.2 as an end has 1.2.3, and is above it. */
const compareEnds = (a: Version, b: Version): number => compare(a, b, [BEHIND_ALL, 0]);

const endsWithin = (a: VersionRange, b: VersionRange): boolean =>
  b.to === null || (a.to !== null && compareEnds(a.to, b.to) <= 0);
const beginsWithin = (a: VersionRange, b: VersionRange): boolean =>
  b.from === null || (a.from !== null && compare(a.from, b.from) >= 0);

function within(a: VersionRange, b: VersionRange): boolean {
  if (b.isExact) return a.isExact && compare(a.from!, b.from!) === 0;
  if (a.isExact) return beginsWithin(a, b) && (b.to === null || !beginsAbove(a.from!, b.to));
  return beginsWithin(a, b) && endsWithin(a, b);
}

/** Returns the versions that both have. Null if there are none. */
function common(a: VersionRange, b: VersionRange): VersionRange | null {
  if (a.isExact) return within(a, b) ? a : null;
  if (b.isExact) return within(b, a) ? b : null;
  const from = beginsWithin(a, b) ? a.from : b.from;
  const to = endsWithin(a, b) ? a.to : b.to;
  return from !== null && to !== null && beginsAbove(from, to) ? null : { from, to, isExact: false };
}

/** Whether no version is at least `from` and not above the end `to`. */
const beginsAbove = (from: Version, to: Version): boolean =>
  compare(from, to) > 0 &&
  !to.segments.every(([group, value], at) => from.segments[at]?.[0] === group && from.segments[at]?.[1] === value);

type Ranges = readonly VersionRange[];

export const rangesWithin = (some: Ranges, others: Ranges): boolean =>
  some.every((one) => others.some((other) => within(one, other)));

/** Returns the versions that both lists have, sorted. Empty if there are none. */
export const commonRanges = (some: Ranges, others: Ranges): Ranges =>
  normalised(some.flatMap((one) => others.flatMap((other) => common(one, other) ?? [])));

/** Sorts ranges, and joins those that overlap. */
export function normalised(ranges: Ranges): Ranges {
  const sorted = ranges.toSorted((a, b) =>
    a.from === null || b.from === null ? Number(b.from === null) - Number(a.from === null) : compare(a.from, b.from),
  );
  const joined: VersionRange[] = [];
  for (const range of sorted) {
    const last = joined.at(-1);
    if (last === undefined || common(last, range) === null) joined.push(range);
    else joined[joined.length - 1] = endsWithin(range, last) ? last : { ...last, to: range.to, isExact: false };
  }
  return joined;
}

/** Reads `1.2`, `=1.2`, `1.2:`, `:1.4`, `1.2,1.5:`. */
export const rangesOf = (text: string): Ranges => normalised(text.split(',').map((one) => rangeOf(one.trim())));

function rangeOf(text: string): VersionRange {
  if (text.startsWith('=')) {
    const version = versionOf(text.slice(1));
    return { from: version, to: version, isExact: true };
  }
  const [from = '', to = from] = text.split(':');
  return { from: from === '' ? null : versionOf(from), to: to === '' ? null : versionOf(to), isExact: false };
}

export const printRanges = (ranges: Ranges): string => ranges.map(printRange).join(',');

function printRange({ from, to, isExact }: VersionRange): string {
  if (isExact) return `=${from!.text}`;
  return from && to && compare(from, to) === 0 ? from.text : `${from?.text ?? ''}:${to?.text ?? ''}`;
}
