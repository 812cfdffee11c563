import { closest } from '../../../../model/suggest.js';
import { readYaml } from '../../../../plan/read/document.js';
import { linesOf, type Line } from './lines.js';

const COMMANDS: readonly string[] = ['/test', '/plan', '/help', '/cancel'];
const WORDS = [...COMMANDS, '/var', '/skip', '/only', '/project', '/cluster'];
const MOST_MISTAKES = 50;

/** A line that cannot be done as it stands. */
export interface Mistake {
  readonly in: 'comment' | 'body';
  /** From 1. */
  readonly line: number;
  /** The line as written, at most 200 characters. It may hold anything. */
  readonly text: string;
  readonly message: string;
  readonly next: string;
}

/** What the lines of one text ask for. */
export class Words {
  readonly commands: { readonly what: string; readonly line: Line; readonly args: readonly string[] }[] = [];
  readonly named: Partial<Record<string, { readonly what: string; readonly line: Line }>> = {};
  /** `PATH=YAML` */
  readonly set: string[] = [];
  readonly steps = new Map<string, '/skip' | '/only'>();
  readonly mistakes: Mistake[] = [];
  /** First line that is for us. */
  readonly first: Line | undefined;

  /** @param of the settings of a body count, and nothing else of it
   * @param others beginnings of lines that are for other robots */
  constructor(
    text: string,
    readonly of: Mistake['in'],
    others: readonly string[],
  ) {
    const isOurs = ({ word }: Pick<Line, 'word'>): boolean => {
      const meant = near(word, WORDS);
      return meant !== null && (of === 'comment' || !COMMANDS.includes(meant));
    };
    const lines = linesOf(text, isOurs);
    const found =
      typeof lines === 'string'
        ? []
        : lines.filter((one) => !others.some((by) => `${one.text.trim().replace(/\s+/g, ' ')} `.startsWith(`${by} `)));
    this.first = found.find(isOurs);
    if (typeof lines === 'string')
      this.wrong({ line: 1, text: '' }, `The ${of} is not read: ${lines}.`, 'Write a short one.');
    if (this.first !== undefined) for (const line of found) if (of === 'comment' || isOurs(line)) this.#take(line);
  }

  /** True if there is more than a command: words that it does not take, settings or steps. */
  hasMore({ what, args }: Words['commands'][number]): boolean {
    const isLong = args.length > (what === 'cancel' ? 1 : 0);
    return isLong || this.set.length + this.steps.size + Object.keys(this.named).length > 0;
  }

  wrong({ line, text }: Pick<Line, 'line' | 'text'>, message: string, next: string): void {
    if (this.mistakes.length < MOST_MISTAKES)
      this.mistakes.push({ in: this.of, line, text: text.slice(0, 200), message: message.slice(0, 500), next });
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
    if (!('value' in yaml)) return wrong(`${yaml[0]!.message}.`, yaml[0]!.next);
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
  known.find((one) => letters(one) === letters(word)) ?? closest(word, known);

/** Ends a sentence with the known word that may be meant. */
export function orNear(word: string, known: readonly string[]): string {
  const meant = near(word, known);
  return meant === null ? '.' : `; did you mean "${meant}"?`;
}
