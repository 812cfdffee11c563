import { formsOf } from './secret-forms.js';

/** Replaces secret values by their names in a text that comes in pieces: a value may be cut anywhere, and be
 * encoded as programs do. */
export interface Redactor {
  /** From now on `value` prints as `name`. */
  hide(name: string, value: string): void;
  /** Text that is safe to print now; the rest is kept back until it is clear. */
  push(text: string): string;
  /** What was kept back. */
  end(): string;
  /** A text that is whole. @param atLeast forms that are shorter stay */
  scrub(text: string, atLeast?: number): string;
}

export function createRedactor(): Redactor {
  const names = new Map<string, string>();
  let values: readonly string[] = [];
  let begins = byFirst(values);
  let kept = '';
  const scrub = (text: string, atLeast = 0): string =>
    values.reduce(
      (now, value) => (value.length < atLeast ? now : now.replaceAll(value, () => names.get(value)!)),
      text,
    );
  return {
    hide(name, value) {
      for (const form of formsOf(value)) if (!names.has(form)) names.set(form, name);
      // Longest first: one secret may contain another.
      values = [...names.keys()].sort((a, b) => b.length - a.length);
      begins = byFirst(values);
    },
    push(text) {
      const all = scrub(kept + text);
      const cut = all.length - longestStart(all, begins, values[0]?.length ?? 0);
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

const byFirst = (values: readonly string[]): ReadonlyMap<string, readonly string[]> =>
  values.reduce(
    (all, value) => all.set(value[0]!, [...(all.get(value[0]!) ?? []), value]),
    new Map<string, readonly string[]>(),
  );

/** Length of the longest end of `text` that begins a value without completing it. @param longest of the values */
function longestStart(text: string, begins: ReadonlyMap<string, readonly string[]>, longest: number): number {
  for (let at = Math.max(0, text.length - longest + 1); at < text.length; at += 1) {
    const end = text.length - at;
    if (begins.get(text[at]!)?.some((value) => value.length > end && value.startsWith(text.slice(at)))) return end;
  }
  return 0;
}
