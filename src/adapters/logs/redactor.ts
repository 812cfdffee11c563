/** Replaces secret values by their names in a text that comes in pieces: a value may be cut anywhere. */
export interface Redactor {
  /** From now on `value` prints as `name`. */
  hide(name: string, value: string): void;
  /** Text that is safe to print now; the rest is kept back until it is clear. */
  push(text: string): string;
  /** What was kept back. */
  end(): string;
  /** A text that is whole. */
  scrub(text: string): string;
}

/** Shorter values would make every text unreadable and hide nothing. */
const SHORTEST_SECRET = 4;

export function createRedactor(): Redactor {
  const names = new Map<string, string>();
  let values: string[] = [];
  let kept = '';
  const scrub = (text: string): string => values.reduce((now, value) => now.replaceAll(value, names.get(value)!), text);
  return {
    hide(name, value) {
      for (const form of new Set([value, encodeURIComponent(value)])) {
        if (form.length >= SHORTEST_SECRET) names.set(form, name);
      }
      // Longest first: one secret may contain another.
      values = [...names.keys()].sort((a, b) => b.length - a.length);
    },
    push(text) {
      const all = scrub(kept + text);
      const cut = all.length - longestStart(all, values);
      kept = all.slice(cut);
      return all.slice(0, cut);
    },
    end() {
      const rest = kept;
      kept = '';
      return rest;
    },
    scrub,
  };
}

/** Length of the longest end of `text` that begins one of `values` without completing it. */
function longestStart(text: string, values: readonly string[]): number {
  let longest = 0;
  for (const value of values) {
    for (let length = Math.min(value.length - 1, text.length); length > longest; length -= 1) {
      if (text.endsWith(value.slice(0, length))) longest = length;
    }
  }
  return longest;
}
