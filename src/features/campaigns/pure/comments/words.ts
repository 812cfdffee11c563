import { closest, didYouMean } from '../../../../model/suggest.js';
import { readYaml } from '../../../../plan/read/document.js';
import type { Hooks } from '../../schemas/hooks.js';
import { LONGEST, linesOf, type Line } from './lines.js';

const COMMANDS = ['test', 'plan', 'help', 'cancel'] as const;
const SETTINGS = ['var', 'skip', 'only', 'project', 'cluster'] as const;
const WORDS: readonly string[] = [...COMMANDS, ...SETTINGS];

/** A line that cannot be done as it stands. */
export interface Mistake {
  readonly in: 'comment' | 'body';
  /** From 1. */
  readonly line: number;
  /** The line as written, at most 200 characters. Not yet quiet. */
  readonly text: string;
  readonly message: string;
  readonly next: string;
}
/** A word of a line, with the line for mistakes. */
interface Said<T = string> {
  readonly what: T;
  readonly line: Line;
}
/** What the lines of one text ask for. */
export interface Read {
  readonly commands: (Said<(typeof COMMANDS)[number]> & { readonly args: readonly string[] })[];
  readonly named: Partial<Record<'project' | 'cluster', Said>>;
  /** `PATH=YAML` */
  readonly set: string[];
  /** By the id of an entry. */
  readonly steps: Map<string, 'skip' | 'only'>;
  readonly mistakes: Mistake[];
  /** First line that is for us. Null without one. */
  readonly first: Line | null;
  wrong(line: Line, message: string, next: string): void;
}

/** Reads one text. Of the body of a pull request the settings alone count. */
export function readText(text: string, of: Mistake['in'], { others }: Hooks): Read {
  const passed = others.map(split);
  const isTheirs = (line: Pick<Line, 'word' | 'rest'>): boolean => {
    const words = [`/${line.word}`, ...split(line.rest)];
    return passed.some((one) => one.every((word, at) => word === words[at]));
  };
  const lines = linesOf(text, (word) => meant(word) !== null);
  const found = typeof lines === 'string' ? [] : lines.filter((line) => !isTheirs(line));
  const read: Read = {
    ...{ commands: [], named: {}, set: [], steps: new Map(), mistakes: [] },
    first: found.find(({ word }) => meant(word) !== null && (of === 'comment' || !isCommand(word))) ?? null,
    wrong({ line, text: shown }, message, next) {
      read.mistakes.push({ in: of, line, text: shown.slice(0, 200), message, next });
    },
  };
  if (typeof lines === 'string')
    read.mistakes.push({ in: of, line: 1, text: '', message: `The ${of} is not read: ${lines}`, next: SHORTER });
  else if (read.first !== null)
    for (const line of found) if (of === 'comment' || isForBody(line.word)) take(line, read);
  return read;
}
const SHORTER = `Write the directives in a comment of their own, of at most ${LONGEST} characters.`;

const split = (text: string): readonly string[] => text.split(/[ \t]+/).filter((word) => word !== '');
const isCommand = (word: string): word is (typeof COMMANDS)[number] => COMMANDS.some((one) => one === word);
const isForBody = (word: string): boolean => meant(word) !== null && !isCommand(word);
const letters = (word: string): string => [...word.toLowerCase()].sort().join('');
/** The directive that a word is, or is near. Null for words of others. */
const meant = (word: string): string | null =>
  WORDS.find((one) => one === word) ?? WORDS.find((one) => letters(one) === letters(word)) ?? closest(word, WORDS);

function take(line: Line, read: Read): void {
  const { word, rest, hidden } = line;
  if (hidden.length > 0)
    return read.wrong(
      line,
      `The line holds ${hidden.slice(0, 3).join(', ')}, which nobody sees.`,
      'Type the line anew, without what was copied.',
    );
  if (line.isHeading)
    return read.wrong(
      line,
      'The line is a heading: below it stands a line of - or =.',
      'Put an empty line between them.',
    );
  if (!WORDS.includes(word)) {
    const near = meant(word);
    return read.wrong(
      line,
      `/${word.slice(0, 40)} is no directive${near === null ? '' : `; did you mean "/${near}"?`}`,
      near === null
        ? `Write it in a comment of its own. /help lists the directives.`
        : `Write /${near}, or put the line into backticks.`,
    );
  }
  const args = split(rest);
  if (isCommand(word)) return void read.commands.push({ what: word, line, args });
  if (word === 'var') return variable(line, read);
  if (word === 'skip' || word === 'only') return steps(line, word, args, read);
  const [what, ...more] = args;
  if (what === undefined || more.length > 0)
    return read.wrong(line, `/${word} names one ${word}, and this line ${args.length}.`, `Write /${word} NAME.`);
  read.named[word as 'project' | 'cluster'] = { what, line };
}

/** PATH may have quotes and brackets: `a."x.y"`, `a["x.y"]`, `a[0]`. */
const VAR = /^((?:[^\s:"'[\]]|"[^"]*"|'[^']*'|\[(?:[^\]"']|"[^"]*"|'[^']*')*\])+)[ \t]*:(?:[ \t]+(.*))?$/;

function variable(line: Line, read: Read): void {
  const [, path, value = ''] = VAR.exec(line.rest) ?? [];
  if (path === undefined)
    return read.wrong(line, 'A setting is a path, a colon, a blank and a value.', 'Write /var service.port: 8080.');
  const yaml = readYaml(value, 'comment');
  if (!('value' in yaml))
    return read.wrong(
      line,
      `The value is no YAML: ${yaml[0]!.message}.`,
      'Quote a text that has ":", "#", "[" or "{" in it.',
    );
  if (yaml.value === null && !/^(null|~)/i.test(value))
    return read.wrong(line, `${path} gets no value.`, `Write /var ${path}: null, or a value.`);
  read.set.push(`${path}=${value}`);
}

function steps(line: Line, word: 'skip' | 'only', args: readonly string[], read: Read): void {
  if (args.length === 0)
    read.wrong(line, `/${word} names no step.`, `Write /${word} STEP, by its name in the release file.`);
  for (const arg of args) {
    const id = arg.includes('/') ? arg : `steps/${arg}`;
    if ((read.steps.get(id) ?? word) !== word)
      read.wrong(line, `${id} is in /skip and in /only.`, 'Take it out of one of them.');
    read.steps.set(id, word);
  }
}

/** `; did you mean …` for a name that is near a known one, or is the begin of one. */
export const nearName = (name: string, known: readonly string[]): string =>
  didYouMean(name, known) ||
  (known.find((one) => one.startsWith(name)) ?? '').replace(/^(?=.)/, '; did you mean "').replace(/(?<=.)$/, '"?');
