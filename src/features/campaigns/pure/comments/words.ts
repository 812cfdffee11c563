import { closest } from '../../../../model/suggest.js';
import { readYaml } from '../../../../plan/read/document.js';
import { LONGEST, linesOf, type Line } from './lines.js';

const COMMANDS: readonly string[] = ['test', 'plan', 'help', 'cancel'];
const WORDS = [...COMMANDS, 'var', 'skip', 'only', 'project', 'cluster'];

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
  readonly steps = new Map<string, 'skip' | 'only'>();
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
    const lines = linesOf(text, (word) => near(word, WORDS) !== null);
    if (typeof lines === 'string') {
      const next = `Write the directives in a comment of their own, of at most ${LONGEST} characters.`;
      this.mistakes.push({ in: of, line: 1, text: '', message: `The ${of} is not read: ${lines}.`, next });
      return;
    }
    const isOurs = ({ word }: Line): boolean => of === 'comment' || !COMMANDS.includes(word);
    const own = lines.filter((line) => isOurs(line) && !others.some((one) => line.text.trim().startsWith(one)));
    this.first = own.find(({ word }) => near(word, WORDS) !== null);
    if (this.first !== undefined)
      for (const line of own) if (of === 'comment' || near(line.word, WORDS) !== null) this.#take(line);
  }

  wrong({ line, text }: Line, message: string, next: string): void {
    if (this.mistakes.length < MOST_MISTAKES)
      this.mistakes.push({ in: this.of, line, text: text.slice(0, 200), message: message.slice(0, 500), next });
  }

  #take(line: Line): void {
    const { word, hidden } = line;
    const args = split(line.rest);
    if (hidden !== '') return this.wrong(line, `${hidden} cannot be seen.`, 'Type the line anew.');
    if (line.isHeading)
      return this.wrong(line, 'A line of - or = below makes this a heading.', 'Put an empty line between them.');
    if (!WORDS.includes(word))
      return this.wrong(
        line,
        `/${word} is no directive${orNear(
          `/${word}`,
          WORDS.map((one) => `/${one}`),
        )}`,
        'Correct it, or write it in backticks.',
      );
    if (COMMANDS.includes(word)) return void this.commands.push({ what: word, line, args });
    if (word === 'var') return this.#variable(line);
    if (word === 'skip' || word === 'only') return this.#steps(line, word, args);
    if (args.length !== 1)
      return this.wrong(line, `/${word} takes one name, not ${args.length}.`, `Write /${word} NAME.`);
    this.named[word] = { what: args[0]!, line };
  }

  #variable(line: Line): void {
    const [, path, value = ''] = VARIABLE.exec(line.rest) ?? [];
    if (path === undefined)
      return this.wrong(line, 'This is no path, colon, blank and value.', 'Write /var a.b: 8080.');
    const yaml = readYaml(value, 'comment');
    if (!('value' in yaml)) return this.wrong(line, `${yaml[0]!.message}.`, yaml[0]!.next);
    if (yaml.value === null && !/^(null|~)/i.test(value))
      return this.wrong(line, `${path} gets no value.`, `Write /var ${path}: null, or a value.`);
    this.set.push(`${path}=${value}`);
  }

  #steps(line: Line, word: 'skip' | 'only', args: readonly string[]): void {
    if (args.length === 0) this.wrong(line, `/${word} names no step.`, `Write /${word} STEP.`);
    for (const id of args.map((arg) => (arg.includes('/') ? arg : `steps/${arg}`))) {
      if ((this.steps.get(id) ?? word) !== word)
        this.wrong(line, `${id} is in /skip and in /only.`, 'Take it out of one of them.');
      this.steps.set(id, word);
    }
  }
}

/** PATH may have quotes and brackets: `a."x.y"`, `a["x.y"]`, `a[0]`. */
const VARIABLE = /^((?:[^\s:"'[\]]|"[^"]*"|'[^']*'|\[(?:[^\]"']|"[^"]*"|'[^']*')*\])+)[ \t]*:(?:[ \t]+(.*))?$/;

const split = (text: string): readonly string[] => text.split(/[ \t]+/).filter((word) => word !== '');
const letters = (word: string): string => [...word.toLowerCase()].sort().join('');
const near = (word: string, known: readonly string[]): string | null =>
  known.find((one) => letters(one) === letters(word)) ?? closest(word, known);

/** Ends a sentence with the known word that may be meant. */
export function orNear(word: string, known: readonly string[]): string {
  const meant = near(word, known);
  return meant === null ? '.' : `; did you mean "${meant}"?`;
}
