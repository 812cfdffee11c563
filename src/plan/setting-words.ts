import type { SettingValue } from '../importers/settings.js';
import type { Problem } from '../model/failure.js';
import { RETRIED_SECTIONS } from '../model/schema/run-retries.js';
import { config, problems, type Path } from './errors.js';
import type { ReadFile } from './read/release-file.js';
import { LATE_VARIABLES } from './text.js';

/** Keys of entries whose texts may name settings. Who opens a pull request writes the settings, so none of these is an address, a
 * secret, a queue, or a name under which something is published. */
const KEYS: readonly unknown[] = [
  ...['run', 'env', 'folder', 'outputs', 'expect', 'result', 'artifacts', 'prepare'],
  ...['args', 'labels', 'properties', 'libraries'],
];
const SECTIONS: readonly unknown[] = RETRIED_SECTIONS.filter((section) => section !== 'publish');

/** Whether a text at a path of the release file may name settings. */
export const mayName = ([section, , key]: Path): boolean => SECTIONS.includes(section) && KEYS.includes(key);

/** Longest value: an environment holds 128 KiB a variable, and a character has up to 3 bytes. */
const LONGEST = 32_768;

type Words = Readonly<Record<string, string>>;

export interface SettingWords {
  /** First part of the words: `config`. Undefined: the file has no settings. */
  readonly first: string | undefined;
  /** Returns the values of the words that a text names. What is wrong with them is a problem at the path. */
  in(text: string, path: Path): Words;
  /** Complains about a filled text that is too long, or in which a value gave a word to fill in. */
  check(filled: string, text: string, path: Path): void;
}

const NONE: SettingWords = { first: undefined, in: () => ({}), check: () => undefined };

export function createSettingWords(file: ReadFile, complain: (problem: Problem) => void): SettingWords {
  const { settings } = file;
  if (settings === undefined) return NONE;
  const named = namedBy(settings.word);
  const known = new Map<string, SettingValue>();
  const valueOf = (word: string): SettingValue => {
    const value = known.get(word) ?? settings.value(word.slice(settings.word.length + 1));
    known.set(word, value);
    return value;
  };
  return {
    first: settings.word,
    in: (text, path) => {
      const words = [...new Set(named(text))];
      if (words.length > 0 && !mayName(path)) complain(problems.settingNotHere(file.at(path), words[0]!));
      const texts = words.map((word) => {
        const said = textOf(word, valueOf(word));
        if (typeof said !== 'string') complain(config(file.at(path), ...said));
        return [word, typeof said === 'string' ? said : ''] as const;
      });
      return Object.fromEntries(texts);
    },
    check: (filled, text, path) => {
      const [word] = named(text);
      if (word === undefined) return;
      if (filled.length > LONGEST) complain(config(file.at(path), ...tooLong(word, filled.length)));
      const late = LATE_VARIABLES.find((one) => count(filled, one) !== count(text, one));
      if (late !== undefined) complain(problems.settingFillsIn(file.at(path), word, late));
    },
  };
}

const count = (text: string, word: string): number => text.split(`{${word}}`).length;

/** Returns what finds the words of settings in a text. `{{config.x}}` is literal. */
function namedBy(first: string): (text: string) => readonly string[] {
  const word = new RegExp(`(\\$?)\\{(\\{?)(${first}\\.[^{}\\n]*)\\}(\\}?)`, 'g');
  return (text) =>
    text.includes(`{${first}.`)
      ? [...text.matchAll(word)].flatMap(([, dollar, open, path, close]) => (dollar || (open && close) ? [] : [path!]))
      : [];
}

type Row = readonly [code: string, message: string, next: string];

const tooLong = (word: string, length: number): Row => [
  'SETTING_TOO_LONG',
  `{${word}} makes a text of ${length} characters; a variable of a command has at most ${LONGEST}`,
  'Write the value into a file of the source, and let the command read it.',
];

/** Returns a scalar as a text. */
function textOf(word: string, said: SettingValue): string | Row {
  if ('code' in said) return [said.code, said.message, said.next];
  const { value, from } = said;
  const is = `{${word}} is ${typeof value !== 'object' ? 'a text with a NUL' : value === null ? 'null' : Array.isArray(value) ? 'a list' : 'a map'} (${from.file}${from.line === undefined ? '' : `:${from.line}`})`;
  if (value === null) return ['SETTING_NOT_A_TEXT', is, 'Set a value: in the file, in a preset, or with --set.'];
  if (typeof value === 'object')
    return ['SETTING_NOT_A_TEXT', is, 'Name one of its values: a text, a number or a boolean.'];
  const text = String(value);
  if (text.includes('\0')) return ['SETTING_NOT_A_TEXT', is, 'Take the NUL out: no command can be given one.'];
  return text.length > LONGEST ? tooLong(word, text.length) : text;
}

/** Complains about words of settings at places of the file that may have none. */
export function checkSettingPlaces(file: ReadFile, complain: (problem: Problem) => void): void {
  if (file.settings === undefined) return;
  const named = namedBy(file.settings.word);
  const visit = (value: unknown, path: Path): void => {
    if (typeof value === 'string') {
      const [word] = mayName(path) ? [] : named(value);
      if (word !== undefined) complain(problems.settingNotHere(file.at(path), word));
    } else if (typeof value === 'object' && value !== null)
      for (const [key, one] of Object.entries(value)) visit(one, [...path, Array.isArray(value) ? Number(key) : key]);
  };
  visit(file.value, []);
}
