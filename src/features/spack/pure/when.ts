import { quoted } from '../../../importers/file-problem.js';
import { SlipwayFailure } from '../../../model/failure.js';
import { compileExpression } from '../../../model/schema/expression.js';
import {
  firstOf,
  has,
  isEqual,
  isTrue,
  NotTold,
  type Part,
  refuse,
  textIn,
  textOf,
  type Value,
  wordsOf,
} from './when-words.js';

/** All that a condition may ask. What is absent is unknown. */
export interface Host {
  readonly platform?: string | undefined;
  readonly os?: string | undefined;
  readonly target?: string | undefined;
  readonly hostname?: string | undefined;
  /** All variables. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Whether a condition holds, or why nobody can tell. `unknown`: key of `host` that would tell. */
export type Told = { readonly holds: boolean } | { readonly why: string; readonly unknown: string | null };

const LONGEST = 2_000;
const MOST_NESTED = 40;

/** Evaluates a condition of a spack.yaml, which Spack evaluates as Python. Nothing but its own grammar is understood: comparisons,
 * texts, lists, the names of `Host`, and functions of `env` and `re`. Expressions are RE2. */
export function evaluateWhen(text: string, host: Host): Told {
  try {
    if (text.length > LONGEST) refuse(`it has ${text.length} characters, and at most ${LONGEST} are read`);
    return { holds: isTrue(new Reader(wordsOf(text), host).whole()()) };
  } catch (error) {
    if (error instanceof NotTold) return { why: error.message, unknown: error.unknown };
    if (error instanceof SlipwayFailure) return { why: error.problems[0]!.message, unknown: null };
    throw error;
  }
}

const METHODS: Readonly<Record<string, (text: string, part: string) => boolean>> = {
  startswith: (text, part) => text.startsWith(part),
  endswith: (text, part) => text.endsWith(part),
};

/** A reader by descent: `or`, then `and`, `not`, a comparison, a value. */
class Reader {
  private at = 0;
  private depth = 0;

  constructor(
    private readonly words: readonly string[],
    private readonly host: Host,
  ) {}

  whole(): Part {
    const part = this.either();
    return this.at === this.words.length ? part : refuse(`${quoted(this.words[this.at])} is not expected there`);
  }

  private takes(...words: readonly string[]): boolean {
    const isThere = words.every((word, no) => this.words[this.at + no] === word);
    if (isThere) this.at += words.length;
    return isThere;
  }

  private expect(word: string): void {
    if (!this.takes(word))
      refuse(`${quoted(word)} is expected in place of ${quoted(this.words[this.at] ?? 'the end')}`);
  }

  private either(): Part {
    this.depth += 1;
    if (this.depth > MOST_NESTED) refuse('it is nested too deep');
    const parts = [this.both()];
    while (this.takes('or')) parts.push(this.both());
    this.depth -= 1;
    return () => firstOf(parts, isTrue);
  }

  private both(): Part {
    const parts = [this.negated()];
    while (this.takes('and')) parts.push(this.negated());
    return () => firstOf(parts, (value) => !isTrue(value));
  }

  private negated(): Part {
    let times = 0;
    while (this.takes('not')) times += 1;
    const part = this.compared();
    return times === 0 ? part : () => isTrue(part()) !== (times % 2 === 1);
  }

  private compared(): Part {
    const left = this.value();
    if (this.takes('==')) return this.pair(left, isEqual);
    if (this.takes('!=')) return this.pair(left, (a, b) => !isEqual(a, b));
    const isNot = this.takes('not', 'in');
    if (!isNot && !this.takes('in')) return left;
    if (this.takes('env')) return () => Object.hasOwn(this.env(), textOf(left(), '"in"')) !== isNot;
    return this.pair(left, (a, b) => has(b, a) !== isNot);
  }

  private pair(left: Part, judge: (a: Value, b: Value) => boolean): Part {
    const right = this.value();
    return () => judge(left(), right());
  }

  private value(): Part {
    let part = this.primary();
    while (this.takes('.')) {
      const [name = ''] = this.words.slice(this.at);
      const method =
        (Object.hasOwn(METHODS, name) && METHODS[name]) || refuse(`${quoted(name)} is not known of a text`);
      this.at += 1;
      const [of, [by = refuse(`${name} needs a text`)]] = [part, this.list('(', ')')] as const;
      part = () => method(textOf(of(), name), textOf(by(), name));
    }
    return part;
  }

  private primary(): Part {
    const [word = 'the end'] = this.words.slice(this.at);
    if (word === '(') return this.group();
    if (word === '[') {
      const parts = this.list('[', ']');
      return () => parts.map((part) => part());
    }
    this.at += 1;
    if (/['"]$/.test(word)) return () => textIn(word);
    if (word === 'True' || word === 'False') return () => word === 'True';
    if (word === 'env') return this.variable();
    if (word === 're') return this.search();
    if (word === 'arch' || word === 'arch_str')
      return () => ['platform', 'os', 'target'].map((key) => this.said(key)).join('-');
    if (['platform', 'os', 'target', 'hostname'].includes(word)) return () => this.said(word);
    return refuse(`${quoted(word)} is not known`);
  }

  /** Parts in brackets. */
  private list(open: string, close: string): readonly Part[] {
    this.expect(open);
    const parts: Part[] = [];
    while (!this.takes(close)) {
      parts.push(this.either());
      if (!this.takes(',') && this.words[this.at] !== close) this.expect(close);
    }
    return parts;
  }

  /** `(a)` is a, `(a, b)` and `(a,)` are lists. */
  private group(): Part {
    const parts = this.list('(', ')');
    const isList = parts.length !== 1 || this.words[this.at - 2] === ',';
    return isList ? () => parts.map((part) => part()) : parts[0]!;
  }

  private said(key: string): string {
    const value = this.host[key as 'os'];
    if (value === undefined) throw new NotTold(`\`host\` does not say ${key}`, key);
    return value;
  }

  private env(): Readonly<Record<string, string>> {
    if (this.host.env === undefined) throw new NotTold('`host` does not say env', 'env');
    return this.host.env;
  }

  /** `env['NAME']`, `env.get('NAME', default)`. */
  private variable(): Part {
    const isGet = this.takes('.', 'get');
    const [name = refuse('env needs a name'), other = () => null] = isGet ? this.list('(', ')') : this.list('[', ']');
    return () => {
      const [key, env] = [textOf(name(), 'env'), this.env()];
      if (Object.hasOwn(env, key)) return env[key]!;
      if (isGet) return other();
      throw new NotTold(`\`host.env\` does not say ${key}`, `env.${key}`);
    };
  }

  /** `re.search(expression, text)`, `re.match(expression, text)`. */
  private search(): Part {
    this.expect('.');
    const isMatch = this.takes('match');
    if (!isMatch) this.expect('search');
    const [of, text] = this.list('(', ')');
    if (of === undefined || text === undefined) return refuse('re needs an expression and a text');
    return () => {
      const source = textOf(of(), 're');
      const expression = compileExpression(isMatch ? `^(?:${source})` : source);
      return expression.test(textOf(text(), 're'));
    };
  }
}
