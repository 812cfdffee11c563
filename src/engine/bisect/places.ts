/** Returns up to `ways` commits strictly between `low` and `high` that divide the span evenly. A commit that may not be tried
 * leaves its place to the nearest one that may. Empty if there is none. */
export function places(
  low: number,
  high: number,
  ways: number,
  mayTry: (commit: number) => boolean,
): readonly number[] {
  const chosen = new Set<number>();
  for (let i = 1; i <= ways; i++) {
    const wish = low + Math.floor(((high - low) * i) / (ways + 1));
    const place = nearest(wish, low, high, (commit) => mayTry(commit) && !chosen.has(commit));
    if (place !== null) chosen.add(place);
  }
  return [...chosen].sort((a, b) => a - b);
}

function nearest(wish: number, low: number, high: number, may: (commit: number) => boolean): number | null {
  for (let away = 0; away < high - low; away++)
    for (const place of away === 0 ? [wish] : [wish - away, wish + away])
      if (place > low && place < high && may(place)) return place;
  return null;
}
