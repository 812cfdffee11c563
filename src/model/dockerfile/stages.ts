import { wordsOf } from './read.js';

/** Arguments and base that a build gives to its Dockerfile. */
export interface Known {
  /** Build arguments, also BASE. */
  readonly args: Readonly<Record<string, string>>;
  /** Reference of the base, which the engine holds already. */
  readonly base: string | null;
}

export const flagsOf = (words: readonly string[]): readonly string[] => {
  const end = words.findIndex((word) => !word.startsWith('--'));
  return end < 0 ? words : words.slice(0, end);
};

/** The stages so far, and the arguments before the first one. */
export class Stages {
  readonly #names: string[] = [];
  /** Null: not certain. */
  readonly #values = new Map<string, string | null>();

  constructor(private readonly known: Known) {}

  /** True for a stage before this one, by its name or number. */
  has(stage: string): boolean {
    const earlier = this.#names.slice(0, -1);
    return /^(?:0|[1-9]\d*)$/.test(stage) ? Number(stage) < earlier.length : earlier.includes(stage.toLowerCase());
  }

  declare(rest: string): void {
    if (this.#names.length > 0) return;
    const isPlain = !/["'\\]|[^\0-\x7f]/.test(rest);
    for (const word of rest.match(/[A-Za-z_]\w*(?:=\S*)?/g) ?? []) {
      const [name, value = null] = word.split(/=([^]*)/) as [string, string?];
      const given = Object.hasOwn(this.known.args, name) ? this.known.args[name]! : value;
      this.#values.set(name, isPlain && !this.#values.has(name) ? given : null);
    }
  }

  /** Begins a stage. Returns its image as it is written. Null if the engine need not fetch it. */
  begin(rest: string): string | null {
    const words = wordsOf(rest);
    const flags = flagsOf(words);
    const [image = '', as = '', name = ''] = words.slice(flags.length);
    const value = flags.some((flag) => /["'\\]/.test(flag)) ? null : this.#valueOf(image.replace(/^"([^"]*)"$/, '$1'));
    const isHere = value === 'scratch' || (value !== null && (value === this.known.base || this.#isStage(value)));
    this.#names.push(/^as$/i.test(as) ? name.toLowerCase() : '');
    return isHere ? null : image;
  }

  #isStage = (name: string): boolean => name !== '' && this.#names.includes(name.toLowerCase());

  /** Fills the arguments in. Null if the value is not certain. */
  #valueOf(word: string): string | null {
    if (/^\$(?:BASE|\{BASE\})$/.test(word)) return this.known.base;
    const filled = word.replace(/\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g, (_, braced?: string, bare?: string) =>
      String(this.#values.get((braced ?? bare)!) ?? '$'),
    );
    return /[$"'\\]/.test(filled) ? null : filled;
  }
}
