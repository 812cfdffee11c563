import { ERROR_LINES, NOT_ERRORS, type ErrorLine } from './error-lines.js';

/** Limits of a first error: lines, and characters per line. */
const MOST_LINES = 4;
const LONGEST = 400;

const ROWS = ERROR_LINES.map((row: ErrorLine) => ({ row, says: new RegExp(row.says) }));
const NOT = new RegExp(NOT_ERRORS.join('|'), 'i');
/** Every row contains one of these words, so most lines need one test. */
const MAYBE =
  /error|err!|fatal|exception|interrupt|traceback|undefined|multiple definition|cannot (find|connect)|panicked|failed|\*\*\*|×|sh: |\.go:|^go: |\.p(?:yx|xd|xi):|^E[: ]/i;
// eslint-disable-next-line no-control-regex
const ESCAPES = /\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])/g;
const TRACEBACK = /^(\s*)Traceback \(most recent call last\):$/;

/** Finds the first error of an output, line by line. Memory is bounded: later lines are not stored. */
export class FirstError {
  #lines: string[] = [];
  /** Number of following lines that still belong to the error. */
  #owed = 0;
  #open = true;
  /** Indentation of a Python traceback whose exception line has not come yet. */
  #traceback: number | null = null;

  /** The line of the first error, then its details. Empty without an error. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** @param raw one line without its end; colours and overwritten progress are ignored */
  push(raw: string): void {
    if (!this.#open || (this.#lines.length === 0 && this.#traceback === null && !MAYBE.test(raw))) return;
    const line = printed(raw);
    if (this.#lines.length > 0) this.#follow(line);
    else this.#look(line);
  }

  /** Forgets the error, because the program that printed it succeeded. */
  clear(): void {
    this.#lines = [];
    this.#owed = 0;
    this.#open = true;
    this.#traceback = null;
  }

  #look(line: string): void {
    if (this.#endsTraceback(line)) return this.#keep(line);
    const header = TRACEBACK.exec(line);
    if (header !== null) {
      this.#traceback = header[1]!.length;
      return;
    }
    if (this.#traceback !== null) return;
    const row = rowOf(line);
    if (row === null) return;
    this.#owed = row.and ?? 0;
    this.#keep(line);
  }

  /** The exception line follows frames that are indented deeper than the header. */
  #endsTraceback(line: string): boolean {
    if (this.#traceback === null || line.trim() === '') return false;
    return indentOf(line) <= this.#traceback;
  }

  #follow(line: string): void {
    const more = line.trim() !== '' && (indentOf(line) > indentOf(this.#lines[0]!) || EXCERPT.test(line));
    if (!more && this.#owed <= 0) this.#open = false;
    else if (line.trim() !== '') this.#keep(line);
    this.#owed -= 1;
  }

  #keep(line: string): void {
    this.#lines.push(line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line);
    if (this.#lines.length === MOST_LINES) this.#open = false;
  }
}

/** Source excerpts of compilers. */
const EXCERPT = /^\d+ +\|/;

/** Returns the first row that matches a line without colours. Null if the line reports no error. */
export function rowOf(line: string): ErrorLine | null {
  if (!MAYBE.test(line) || NOT.test(line)) return null;
  return ROWS.find(({ says }) => says.test(line))?.row ?? null;
}

/** The line as a terminal shows it in the end. */
const printed = (raw: string): string =>
  raw
    .replace(ESCAPES, '')
    .trimEnd()
    .replace(/^[^]*\r/, '');

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** A first error in one line. Null if there is none. */
export function firstErrorText({
  firstError = [],
}: {
  readonly firstError?: readonly string[] | undefined;
}): string | null {
  const [first, second] = firstError;
  if (first === undefined) return null;
  return first.endsWith(':') && second !== undefined ? `${first.trim()} ${second.trim()}` : first.trim();
}

/** Lines of output that explain a failure: the first error, then the last lines. The first error is left out if the
 * last lines show it.
 * @param most number of last lines */
export function shownLines(
  {
    firstError = [],
    evidence = [],
  }: { readonly firstError?: readonly string[]; readonly evidence?: readonly string[] },
  most = Infinity,
): readonly string[] {
  const last = evidence.slice(-most);
  const isShown =
    firstError.length === 0 || last.some((line) => printed(line).startsWith(firstError[0]!.replace(/…$/, '')));
  return isShown ? last : [...firstError, ...(last.length > 0 ? ['…', ...last] : [])];
}
