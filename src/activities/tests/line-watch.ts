const LONGEST_LINE = 64 * 1024;

/** Searches output that arrives in pieces for one whole line. Surrounding white space is ignored. */
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

  /** Call at the end of output: the last line may lack its newline. */
  end(): boolean {
    this.seen ||= this.#rest.trim() === this.#expected;
    return this.seen;
  }
}
