import { placed, type Problem } from '../model/failure.js';
import type { Json } from '../model/json.js';
import { variableOf } from '../model/shell-variables.js';
import { MADE_SECTIONS } from './entries.js';
import type { FeaturePlans } from './feature.js';
import { config, problems, shown, type Path } from './errors.js';
import type { ReadFile } from './read/release-file.js';
import { fill, LATE_VARIABLES } from './text.js';

/** Keys of entries whose texts are paths inside a folder. */
const PATHS: readonly unknown[] = ['folder', 'outputs', 'result', 'artifacts', 'libraries'];
/** Keys of entries whose texts may name settings. Who opens a pull request writes the settings, so none of these is an address, a
 * secret, a queue, or a name under which something is published. */
const KEYS = [...PATHS, 'run', 'env', 'expect', 'args', 'labels', 'properties', 'extra'];

const keyOf = ([, , key, inner]: Path): unknown => (key === 'prepare' ? inner : key);
/** Whether a text at a path of the release file may name settings. */
const mayName = (path: Path): boolean => MADE_SECTIONS.includes(String(path[0])) && KEYS.includes(keyOf(path));

/** Longest text: an environment holds 128 KiB a variable, and a character has up to 3 bytes. */
const LONGEST = 32_768;

type Words = Readonly<Record<string, string>>;

/** Fills in words of settings. In a file without settings they are a problem. Without a feature that reads settings there are none,
 * and `first`, the first part of the words, is undefined. */
export function createSettingWords(
  { settings, at }: ReadFile,
  features: FeaturePlans,
  complain: (problem: Problem) => void,
) {
  const first = settings?.word ?? Object.values(features).find(({ word }) => word !== undefined)?.word;
  const valueOf = (word: string, path: Path): string => {
    const said = settings?.value(word.slice(first!.length + 1)) ?? problems.withoutSettings({}, `{${word}}`);
    const unfit = 'code' in said ? null : unfitness(said.value);
    if ('code' in said) complain(config(at(path), said.code, said.message, said.next));
    else if (unfit !== null) complain(problems.settingNotText(at(path), word, unfit, placed(said.from)));
    else if (String(said.value).length <= LONGEST) return String(said.value);
    else complain(problems.settingUnfit(at(path), word, tooLong(String(said.value))));
    return '';
  };
  return {
    first,
    /** Adds the values of the words that a text names. What is wrong with them is a problem at the path.
     * @param isLine each word needs a variable of its own */
    with: (words: Words, text: string, path: Path, isLine = false): Words => {
      const named = namedIn(text, first);
      if (named.length > 0 && !mayName(path)) complain(problems.settingNotHere(at(path), named[0]!));
      const values = named.map((word) => [word, valueOf(word, path)] as const);
      for (const [no, word] of isLine ? named.entries() : []) {
        const other = named.slice(0, no).find((one) => variableOf(one) === variableOf(word));
        if (other !== undefined || !/^[\w.-]+$/.test(word))
          complain(problems.settingWithoutVariable(at(path), word, other));
      }
      return { ...words, ...Object.fromEntries(values) };
    },
    /** Complains about a filled text that is too long, leads out of its folder, or has a word of a worker by a value. */
    check: (filled: string, text: string, path: Path): void => {
      const [word] = namedIn(text, first);
      const makes = word === undefined ? null : faultOf(filled, text, PATHS.includes(keyOf(path)));
      if (makes !== null) complain(problems.settingUnfit(at(path), word!, makes));
    },
  };
}

/** `{{config.x}}` is literal. */
const namedIn = (text: string, first: string | undefined): readonly string[] =>
  first !== undefined && text.includes(`{${first}.`) ? fill(text, {}, first).settings : [];

/** Null for a value that a text can have. */
function unfitness(value: Json): string | null {
  if (typeof value === 'object') return value === null ? 'null' : Array.isArray(value) ? 'a list' : 'a map';
  return String(value).includes('\0') ? 'a text with a NUL' : null;
}

const tooLong = ({ length }: string): string => `a text of ${length} characters; at most ${LONGEST} are allowed`;

function faultOf(filled: string, text: string, isPath: boolean): string | null {
  const count = (all: string, word: string): number => all.split(`{${word}}`).length;
  const late = LATE_VARIABLES.find((one) => count(filled, one) !== count(text, one));
  if (late !== undefined) return `{${late}}, which a worker would fill in`;
  if (filled.length > LONGEST) return tooLong(filled);
  const isInside = filled !== '' && !filled.startsWith('/') && !filled.split('/').includes('..');
  return isPath && !isInside ? `the path ${shown(filled)}; a path stays inside its folder: relative, no ".."` : null;
}

/** Complains about words of settings at places of the file that may have none. */
export function checkSettingPlaces(file: ReadFile, complain: (problem: Problem) => void): void {
  const visit = (value: unknown, path: Path): void => {
    if (typeof value === 'string') {
      const [word] = mayName(path) ? [] : namedIn(value, file.settings?.word);
      if (word !== undefined) complain(problems.settingNotHere(file.at(path), word));
    } else if (typeof value === 'object' && value !== null)
      for (const [key, one] of Object.entries(value)) visit(one, [...path, Array.isArray(value) ? Number(key) : key]);
  };
  if (file.settings !== undefined) visit(file.value, []);
}
