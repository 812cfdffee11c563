/** Levenshtein distance (1966), one row at a time. */
export function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}

/** Returns the known word with at most a third of its letters changed. Null without one. */
export function closest(word: string, known: Iterable<string>): string | null {
  let best: { word: string; off: number } | null = null;
  if (word.length > 80) return null;
  for (const candidate of known) {
    const off = distance(word.toLowerCase(), candidate.toLowerCase());
    if (off <= Math.max(1, Math.floor(candidate.length / 3)) && (best === null || off < best.off))
      best = { word: candidate, off };
  }
  return best?.word ?? null;
}

export function didYouMean(word: string, known: Iterable<string>): string {
  const meant = closest(word, known);
  return meant === null ? '' : `; did you mean "${meant}"?`;
}
