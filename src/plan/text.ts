import { trimmedEnd } from '../model/trim.js';

/** Returns an expression for `{word}`, with the braces beside it. `{{word}}` is an escape for `{word}`.
 * @param first of settings: `config` for `{config.port}`; a brace beside such a word is text
 * @param before what precedes the brace */
export function wordPattern(flags: string, first?: string, before = ''): RegExp {
  const setting = first === undefined ? '' : `${first}\\.[^{}\\n]*|`;
  return new RegExp(`${before}\\{(\\{?)(python\\.[a-z]+|${setting}[a-z][a-z0-9_]*)\\}(\\}?)`, flags);
}
export const isSetting = (word: string): boolean => word.includes('.') && !word.startsWith('python.');

/** Words of a text, but not the shell's `${word}`. */
const wordsOfText = (first?: string): RegExp => wordPattern('g', first, '(\\$?)');
const PLAIN = wordsOfText();

/** Words that only a worker can fill in. */
export const LATE_VARIABLES = ['files', 'out'] as const;
export type LateVariable = (typeof LATE_VARIABLES)[number];

export interface Filled {
  readonly text: string;
  readonly unknown: readonly string[];
  /** Words that are settings. */
  readonly settings: readonly string[];
}

/** Fills in a closed list of words, without expressions. A word outside the list is a problem.
 * @param first of settings: `config` for `{config.port}` */
export function fill(text: string, words: Readonly<Record<string, string>>, first?: string): Filled {
  const unknown: string[] = [];
  const settings = new Set<string>();
  const pattern = first === undefined ? PLAIN : wordsOfText(first);
  const filled = text.replace(pattern, (whole: string, dollar: string, open: string, word: string, close: string) => {
    if (dollar) return whole;
    if (open && close) return `{${word}}`;
    if (isSetting(word) && settings.add(word)) return open + (words[word] ?? '') + close;
    if (open || close || (LATE_VARIABLES as readonly string[]).includes(word)) return whole;
    const value = words[word];
    if (value === undefined) unknown.push(word);
    return value ?? whole;
  });
  return { text: filled, unknown, settings: [...settings] };
}

/** Files of the bundle that a text names by `{files}/path`. `''` means all of them. */
export const filesIn = (text: string): readonly string[] =>
  [...text.matchAll(/\{files\}(?:\/([\w./-]+))?/g)].map(([, path]) => trimmedEnd(path ?? '', '/.'));
