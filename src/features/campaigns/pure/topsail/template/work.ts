import { fail, type SourceLocation } from '../../../../../model/failure.js';
import { template } from '../errors.js';

/** Limits of a template and of one rendering. A pull request's template is rendered on control. */
export const MOST = {
  characters: 131_072,
  /** Blanks in a row: the library's own expression takes quadratic time on them. */
  blanks: 500,
  /** Tokens of one tag: the parser recurses over them. */
  tokens: 1_000,
  /** Brackets or blocks inside each other. */
  depth: 40,
  evaluations: 1_000_000,
  /** Characters and items of all values that are made, and characters of output. */
  made: 1_000_000,
  problems: 20,
  /** Statements that fail, also where a loop repeats the same problem. */
  failures: 50,
} as const;

/** What one rendering used, and its place in the template. */
export class Work {
  /** Offset in the template of what is evaluated. */
  at = 0;
  /** Variables of the environment that the template refers to. */
  readonly references = new Set<string>();
  #evaluations = 0;
  #made = 0;

  /** @param times the limits are so many times those of one rendering */
  constructor(
    readonly placeOf: (at: number) => SourceLocation,
    readonly times = 1,
  ) {}

  get place(): SourceLocation {
    return this.placeOf(this.at);
  }

  /** Counts evaluations, or items that are looked at. Throws TEMPLATE_TOO_LARGE. */
  step(count = 1): void {
    this.#evaluations += count;
    if (this.#evaluations > MOST.evaluations * this.times)
      throw fail(template.tooLarge(this.place, `${MOST.evaluations} evaluations`));
  }

  /** Counts a value before it is made. Throws TEMPLATE_TOO_LARGE. */
  make(size: number): void {
    this.#made += size;
    if (this.#made > MOST.made * this.times)
      throw fail(template.tooLarge(this.place, `${MOST.made} characters and items in values and output`));
  }

  made(text: string): string {
    this.make(text.length);
    return text;
  }

  wrong(why: string): Error {
    return fail(template.wrongValue(this.place, why));
  }

  unsupported(what: string, instead: string, meant = ''): Error {
    return fail(template.unsupported(this.place, what, instead, meant));
  }
}

/** For values that another limit bounds. */
export const unbounded = (): Work => new Work(() => ({ file: '' }), Infinity);
