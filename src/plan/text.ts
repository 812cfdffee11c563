import { trimmedEnd } from '../model/trim.js';

/** `{word}` of a text, but not the shell's `${word}`. `{{word}}` is an escape for `{word}`. */
const WORD = /(\$?)\{(\{?)(python\.[a-z]+|[a-z][a-z0-9_]*(?:\.[^{}\n]*)?)(\}?)\}/g;

/** Words that only a worker can fill in. */
export const LATE_VARIABLES = ['files', 'out'] as const;
export type LateVariable = (typeof LATE_VARIABLES)[number];

export interface Filled {
  readonly text: string;
  readonly unknown: readonly string[];
}

/** Fills in a closed list of words, without expressions. A word outside the list is a problem.
 * @param first of settings: `config` for `{config.port}`. Braces beside such a word are text */
export function fill(text: string, words: Readonly<Record<string, string>>, first?: string): Filled {
  const unknown: string[] = [];
  const filled = text.replace(WORD, (whole: string, dollar: string, open: string, word: string, close: string) => {
    if (dollar) return whole;
    const isSetting = word.startsWith(`${first}.`);
    if (!isSetting && word.includes('.') && !word.startsWith('python.')) return whole;
    if (open && close) return `{${word}}`;
    if (isSetting) return open + (words[word] ?? '') + close;
    if (open || close || (LATE_VARIABLES as readonly string[]).includes(word)) return whole;
    const value = words[word];
    if (value === undefined) unknown.push(word);
    return value ?? whole;
  });
  return { text: filled, unknown };
}

/** Files of the bundle that a text names by `{files}/path`. `''` means all of them. */
export const filesIn = (text: string): readonly string[] =>
  [...text.matchAll(/\{files\}(?:\/([\w./-]+))?/g)].map(([, path]) => trimmedEnd(path ?? '', '/.'));
