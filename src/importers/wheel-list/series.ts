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
