import { fail } from '../../../../../model/failure.js';
import { isDict, type Value } from './python.js';

const WORDS: Readonly<Record<string, Value>> = {
  ...{ true: true, false: false, none: null },
  ...{ True: true, False: false, None: null },
};

/** Names of a template: those of its tags, then keys of the configuration. */
export class Scope {
  readonly #own = new Map<string, Value | typeof BROKEN>();
  readonly #outer: Scope | Value;

  constructor(outer: Scope | Value) {
    this.#outer = outer;
  }

  /** Throws a failure without problems if the problem of the name is known already. */
  get(name: string): Value {
    if (Object.hasOwn(WORDS, name)) return WORDS[name];
    const own = this.#own.get(name);
    if (own === BROKEN) throw fail([]);
    if (own !== undefined) return own;
    if (this.#outer instanceof Scope) return this.#outer.get(name);
    return isDict(this.#outer) && Object.hasOwn(this.#outer, name) ? this.#outer[name] : undefined;
  }

  set(name: string, value: Value | typeof BROKEN): void {
    this.#own.set(name, value);
  }

  names(): readonly string[] {
    return [
      ...this.#own.keys(),
      ...(this.#outer instanceof Scope ? this.#outer.names() : Object.keys(Object(this.#outer))),
    ];
  }
}

/** The value of a name whose expression has a problem. */
export const BROKEN = Symbol('broken');
