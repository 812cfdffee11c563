import { formsOf } from './secret-forms.js';

/** Replaces secret values by their names in streamed text. A value may be split across pieces and encoded as
 * programs do. */
export interface Redactor {
  /** From now on `value` prints as `name`. */
  hide(name: string, value: string): void;
  /** Returns text that is safe to print. Holds back an end that may begin a secret. */
  push(text: string): string;
  end(): string;
  /** Redacts a complete text. @param atLeast shorter forms stay */
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

/** Length of the longest end of `text` that starts a value without completing it. @param longest length of the
 * longest value */
function longestStart(text: string, begins: ReadonlyMap<string, readonly string[]>, longest: number): number {
  for (let at = Math.max(0, text.length - longest + 1); at < text.length; at += 1) {
    const end = text.length - at;
    if (begins.get(text[at]!)?.some((value) => value.length > end && value.startsWith(text.slice(at)))) return end;
  }
  return 0;
}
