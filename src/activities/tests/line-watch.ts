/** A line longer than this, in characters, is no line that anybody expects. */
const LONGEST_LINE = 64 * 1024;

/** Looks for one whole line in output that comes in pieces. White space around it does not count. */
export class LineWatch {
  seen = false;
  #rest = '';
  readonly #expected: string;

  constructor(expected: string) {
    this.#expected = expected.trim();
  }

  push(text: string): void {
    if (this.seen) return;
    const lines = (this.#rest + text).split(/\r?\n/);
    this.#rest = lines.pop()!.slice(0, LONGEST_LINE);
    this.seen = lines.some((line) => line.trim() === this.#expected);
  }

  /** The last line may come without its end. */
  end(): boolean {
    this.seen ||= this.#rest.trim() === this.#expected;
    return this.seen;
  }
}
