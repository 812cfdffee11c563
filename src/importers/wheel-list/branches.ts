import { namedBy } from '../../model/schema/globs.js';
import type { WheelList } from '../../model/schema/sections/wheel-list.js';

/** A platform and a Python, and the last day on which wheels are built for them. */
export interface RowTarget {
  readonly platform: string;
  readonly python: string;
  /** Null: no last day. */
  readonly until: string | null;
}

/** A branch that a row keeps. */
export interface Kept {
  readonly branch: string;
  readonly commit: string;
  readonly targets: readonly RowTarget[];
}

export interface Branches {
  readonly kept: readonly Kept[];
  /** Branches that no row and no key of `ignore` names. */
  readonly unlisted: readonly string[];
  /** Indexes of rows that no branch matches. */
  readonly idle: readonly number[];
}

/** Returns the branches that the rows keep. @param all commits by branch */
export function keptBranches(
  { rows, ignore }: Pick<WheelList, 'rows' | 'ignore'>,
  all: Readonly<Record<string, string>>,
): Branches {
  const isIgnored = namedBy(Object.keys(ignore));
  const names = inSeriesOrder(Object.keys(all));
  const targets = new Map<string, RowTarget[]>();
  const idle: number[] = [];
  for (const [index, row] of rows.entries()) {
    const isMeant = namedBy([row.branch]);
    const matching = names.filter((name) => name === row.branch || (isMeant(name) && !isIgnored(name)));
    if (matching.length === 0) idle.push(index);
    for (const name of row.newest === undefined ? matching : matching.slice(-row.newest))
      targets.set(name, [...(targets.get(name) ?? []), ...targetsOf(row.for, row.until ?? null)]);
  }
  const isListed = namedBy(rows.map(({ branch }) => branch));
  return {
    kept: [...targets].map(([branch, said]) => ({ branch, commit: all[branch]!, targets: latest(said) })),
    unlisted: names.filter((name) => !isListed(name) && !isIgnored(name)),
    idle,
  };
}

export const targetsOf = (all: NonNullable<WheelList['for']>, until: string | null): readonly RowTarget[] =>
  Object.entries(all).flatMap(([platform, pythons]) => pythons.map((python) => ({ platform, python, until })));

/** Keeps one row for each target: the one that ends last. */
function latest(said: readonly RowTarget[]): readonly RowTarget[] {
  const best = new Map<string, RowTarget>();
  for (const target of said) {
    const key = `${target.platform} ${target.python}`;
    const before = best.get(key);
    if (before === undefined || (before.until !== null && (target.until === null || target.until > before.until)))
      best.set(key, target);
  }
  return [...best.values()];
}

/** Branches of releases in their order. Letter names come first by alphabet, then dated ones by number: zed < 2023.1 < 2026.1. */
export function inSeriesOrder(branches: readonly string[]): readonly string[] {
  return [...branches].sort((a, b) => compareSeries(seriesOf(a), seriesOf(b)) || (a < b ? -1 : 1));
}

/** `stable/2026.1` is of the series 2026.1. */
const seriesOf = (branch: string): string => branch.slice(branch.lastIndexOf('/') + 1);

function compareSeries(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  if (left === null || right === null) return Number(left !== null) - Number(right !== null) || compareText(a, b);
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const numbersOf = (series: string): readonly number[] | null =>
  /^v?\d+(\.\d+)*$/.test(series) ? series.replace('v', '').split('.').map(Number) : null;
const compareText = (a: string, b: string): number =>
  a.toLowerCase() < b.toLowerCase() ? -1 : a.toLowerCase() > b.toLowerCase() ? 1 : 0;
