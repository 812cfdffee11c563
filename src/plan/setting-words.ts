import type { SettingValue } from '../importers/settings.js';
import type { Problem } from '../model/failure.js';
import { RETRIED_SECTIONS } from '../model/schema/run-retries.js';
import { variableOf } from '../model/shell-variables.js';
import { config, problems, type Path } from './errors.js';
import type { ReadFile } from './read/release-file.js';
import { isSetting, LATE_VARIABLES, wordPattern } from './text.js';

/** Keys of entries whose texts are paths inside a folder. */
const PATHS: readonly unknown[] = ['folder', 'outputs', 'result', 'artifacts', 'libraries'];
/** Keys of entries whose texts may name settings. Who opens a pull request writes the settings, so none of these is an address, a
 * secret, a queue, or a name under which something is published. */
const KEYS = [...PATHS, 'run', 'env', 'expect', 'args', 'labels', 'properties', 'extra'];
const SECTIONS: readonly unknown[] = RETRIED_SECTIONS.filter((section) => section !== 'publish');

const keyOf = ([, , key, inner]: Path): unknown => (key === 'prepare' ? inner : key);
/** Whether a text at a path of the release file may name settings. */
const mayName = (path: Path): boolean => SECTIONS.includes(path[0]) && KEYS.includes(keyOf(path));

/** Longest text: an environment holds 128 KiB a variable, and a character has up to 3 bytes. */
const LONGEST = 32_768;

type Words = Readonly<Record<string, string>>;

export interface SettingWords {
  /** First part of the words: `config`. Undefined: the file has no settings. */
  readonly first: string | undefined;
  /** Returns the values of the words that a text names. What is wrong with them is a problem at the path. */
  in(text: string, path: Path): Words;
  /** The same for a line, in which each word needs a variable of its own. */
  ofLine(text: string, path: Path): Words;
  /** Complains about a filled text that is too long, leads out of its folder, or has a word of a worker by a value. */
  check(filled: string, text: string, path: Path): void;
}

const NONE: SettingWords = { first: undefined, in: () => ({}), ofLine: () => ({}), check: () => undefined };

export function createSettingWords(file: ReadFile, complain: (problem: Problem) => void): SettingWords {
  const { settings } = file;
  if (settings === undefined) return NONE;
  const named = namedBy(settings.word);
  const valueOf = (word: string, path: Path): string => {
    const said = textOf(word, settings.value(word.slice(settings.word.length + 1)));
    if (typeof said !== 'string') complain(config(file.at(path), ...said));
    return typeof said === 'string' ? said : '';
  };
  const valuesOf: SettingWords['in'] = (text, path) => {
    const words = named(text);
    if (words.length > 0 && !mayName(path)) complain(problems.settingNotHere(file.at(path), words[0]!));
    return Object.fromEntries(words.map((word) => [word, valueOf(word, path)]));
  };
  return {
    first: settings.word,
    in: valuesOf,
    ofLine: (text, path) => {
      const values = valuesOf(text, path);
      const words = Object.keys(values);
      for (const [at, word] of words.entries()) {
        const other = words.slice(0, at).find((one) => variableOf(one) === variableOf(word));
        if (other !== undefined || !/^[\w.-]+$/.test(word))
          complain(problems.settingWithoutVariable(file.at(path), word, other));
      }
      return values;
    },
    check: (filled, text, path) => {
      const [word] = named(text);
      if (word === undefined) return;
      if (filled.length > LONGEST) complain(config(file.at(path), ...tooLong(word, filled.length)));
      const late = LATE_VARIABLES.find((one) => count(filled, one) !== count(text, one));
      if (late !== undefined) complain(problems.settingFillsIn(file.at(path), word, late));
      const leadsOut = filled === '' || filled.startsWith('/') || filled.split('/').includes('..');
      if (leadsOut && PATHS.includes(keyOf(path))) complain(problems.settingLeadsOut(file.at(path), word, filled));
    },
  };
}

const count = (text: string, word: string): number => text.split(`{${word}}`).length;

/** Returns what finds the words of settings in a text. `{{config.x}}` is literal. */
function namedBy(first: string): (text: string) => readonly string[] {
  const pattern = wordPattern('g', first, '(\\$?)');
  const words = (text: string): readonly string[] =>
    [...text.matchAll(pattern)].flatMap(([, dollar, open, word, close]) =>
      dollar || (open && close) || !isSetting(word!) ? [] : [word!],
    );
  return (text) => (text.includes(`{${first}.`) ? [...new Set(words(text))] : []);
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
  const kind = value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'a map' : null;
  const text = String(value);
  if (kind === null && !text.includes('\0')) return text.length > LONGEST ? tooLong(word, text.length) : text;
  return [
    'SETTING_NOT_A_TEXT',
    `{${word}} is ${kind ?? 'a text with a NUL'} (${from.file}${from.line === undefined ? '' : `:${from.line}`})`,
    value === null
      ? 'Set a value: in the file, in a preset, or with --set.'
      : 'Name a text without NUL, a number or a boolean.',
  ];
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
