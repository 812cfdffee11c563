/** Levenshtein distance (1966), one row at a time. */
export function distance(a: string, b: string): number {
  const row = Uint32Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i++) {
    let corner = i;
    row[0] = i + 1;
    for (let j = 0; j < b.length; j++) {
      const left = row[j]! + 1;
      const above = row[j + 1]! + 1;
      const changed = corner + (a[i] === b[j] ? 0 : 1);
      corner = above - 1;
      const added = left < above ? left : above;
      row[j + 1] = added < changed ? added : changed;
    }
  }
  return row[b.length]!;
}

/** Letters that a search compares with letters: milliseconds. */
const MOST_PAIRS = 3_000_000;

/** Returns the known word with at most a third of its letters changed. Null without one. */
export function closest(word: string, known: Iterable<string>): string | null {
  let best: { word: string; off: number } | null = null;
  let pairs = 0;
  if (word.length > 80) return null;
  for (const candidate of known) {
    const most = Math.max(1, Math.floor(candidate.length / 3));
    if (Math.abs(candidate.length - word.length) > most) continue;
    pairs += candidate.length * word.length;
    if (pairs > MOST_PAIRS) break;
    const off = distance(word.toLowerCase(), candidate.toLowerCase());
    if (off <= most && (best === null || off < best.off)) best = { word: candidate, off };
  }
  return best?.word ?? null;
}

export function didYouMean(word: string, known: Iterable<string>): string {
  const meant = closest(word, known);
  return meant === null ? '' : `; did you mean "${meant}"?`;
}
