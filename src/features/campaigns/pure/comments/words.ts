import { closest } from '../../../../model/suggest.js';
import { readYaml } from '../../../../plan/read/document.js';
import { linesOf, LONGEST, type Line } from './lines.js';
import { sentence } from '../../../../model/failure.js';
import { cut } from './quiet.js';

const COMMANDS: readonly string[] = ['/test', '/plan', '/help', '/cancel'];
const WORDS = [...COMMANDS, '/var', '/skip', '/only', '/project', '/cluster'];
const MOST_MISTAKES = 50;

/** A line (from 1) that cannot be done, and its first 200 characters as written. They may be anything. */
export interface Mistake {
  readonly in: 'comment' | 'body';
  readonly line: number;
  readonly text: string;
  readonly message: string;
  readonly next: string;
}

/** Returns the lines of a text that are for us, or beside such a line in a comment: only settings count in a body. A text: why it is not
 * read. Words of a text that is too long are not compared with those that may be meant.
 * @param others beginnings of lines that are for other robots */
export function linesFor(text: string, of: Mistake['in'], others: readonly string[]): readonly Line[] | string {
  const isOurs = ({ word }: Pick<Line, 'word'>): boolean => {
    const meant = WORDS.includes(word) ? word : text.length > LONGEST ? null : near(word, WORDS);
    return meant !== null && (of === 'comment' || !COMMANDS.includes(meant));
  };
  const lines = linesOf(text, isOurs);
  if (typeof lines === 'string') return lines;
  const isOther = (one: Line): boolean =>
    others.some((by) => `${one.text.trim().replace(/\s+/g, ' ')} `.startsWith(`${by} `));
  const found = lines.filter((one) => !isOther(one));
  const ours = found.filter(isOurs);
  return of === 'comment' && ours.length > 0 ? found : ours;
}

/** What the lines of one text ask for. */
export class Words {
  readonly commands: { readonly what: string; readonly line: Line; readonly args: readonly string[] }[] = [];
  readonly named: Partial<Record<string, { readonly what: string; readonly line: Line }>> = {};
  /** `PATH=YAML` */
  readonly set: string[] = [];
  readonly steps = new Map<string, '/skip' | '/only'>();
  readonly mistakes: Mistake[] = [];
  readonly lines: readonly Line[];

  constructor(
    text: string,
    readonly of: Mistake['in'],
    others: readonly string[],
  ) {
    const lines = linesFor(text, of, others);
    this.lines = typeof lines === 'string' ? [] : lines;
    for (const line of this.lines) this.#take(line);
    if (typeof lines === 'string')
      this.wrong({ line: 1, text: '' }, `The ${of} is not read: ${lines}.`, 'Write a short one.');
  }

  get size(): number {
    return this.set.length + this.steps.size + Object.keys(this.named).length;
  }

  wrong({ line, text }: Pick<Line, 'line' | 'text'>, message: string, next: string): void {
    if (this.mistakes.length < MOST_MISTAKES)
      this.mistakes.push({ in: this.of, line, text: cut(text, 200), message: cut(message, 500), next });
  }

  #take(line: Line): void {
    const [{ word, hidden }, args] = [line, split(line.rest)];
    const wrong = (message: string, next: string): void => this.wrong(line, message, next);
    if (hidden !== '') return wrong(`${hidden} cannot be seen.`, 'Type the line anew.');
    if (line.isHeading) return wrong('A line of - or = below makes this a heading.', 'Put an empty line between them.');
    if (!WORDS.includes(word))
      return wrong(`${word} is no directive${orNear(word, WORDS)}`, 'Correct it, or write it in backticks.');
    if (COMMANDS.includes(word)) return void this.commands.push({ what: word.slice(1), line, args });
    if (word === '/var') return this.#variable(line.rest, wrong);
    if (word === '/skip' || word === '/only') return this.#steps(word, args, wrong);
    if (args.length !== 1) return wrong(`${word} takes one name, not ${args.length}.`, `Write ${word} NAME.`);
    if (this.named[word.slice(1)] !== undefined) return wrong(`${word} is one too many.`, 'Take one of them out.');
    this.named[word.slice(1)] = { what: args[0]!, line };
  }

  #variable(text: string, wrong: Wrong): void {
    const [, path, value = ''] = VARIABLE.exec(text) ?? [];
    if (path === undefined) return wrong('This is no path, colon, blank and value.', 'Write /var a.b: 8080.');
    const yaml = readYaml(value, 'comment');
    if (!('value' in yaml)) return wrong(sentence(yaml[0]!.message), yaml[0]!.next);
    if (yaml.value === null && !/^(null|~)/i.test(value))
      return wrong(`${path} gets no value.`, `Write /var ${path}: null, or a value.`);
    this.set.push(`${path}=${value}`);
  }

  #steps(word: '/skip' | '/only', args: readonly string[], wrong: Wrong): void {
    if (args.length === 0) wrong(`${word} names no step.`, `Write ${word} STEP.`);
    for (const id of args.map((arg) => (arg.includes('/') ? arg : `steps/${arg}`))) {
      if ((this.steps.get(id) ?? word) !== word)
        wrong(`${id} is in /skip and in /only.`, 'Take it out of one of them.');
      this.steps.set(id, word);
    }
  }
}
type Wrong = (message: string, next: string) => void;

/** PATH may have quotes and brackets: `a."x.y"`, `a["x.y"]`, `a[0]`. */
const VARIABLE = /^((?:[^\s:="'[\]]|"[^"]*"|'[^']*'|\[(?:[^\]"']|"[^"]*"|'[^']*')*\])+)[ \t]*:(?:[ \t]+(.*))?$/;

const split = (text: string): readonly string[] => text.split(/[ \t]+/).filter((word) => word !== '');
const letters = (word: string): string => [...word.toLowerCase()].sort().join('');
const near = (word: string, known: readonly string[]): string | null =>
  known.find((one) => one.length === word.length && letters(one) === letters(word)) ?? closest(word, known);

/** Ends a sentence with the known word that may be meant. */
export function orNear(word: string, known: readonly string[]): string {
  const meant = near(word, known);
  return meant === null ? '.' : `; did you mean "${meant}"?`;
}
