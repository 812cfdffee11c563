import { quoted } from '../../../importers/file-problem.js';
import { compileExpression } from '../../../model/schema/expression.js';
import { refuse } from './refusal.js';
import { has, isEqual, isFalse, isTrue, NAMES, type Part, textIn, textOf, Unknown, variableIn } from './when-words.js';

const MOST_NESTED = 40;

const METHODS: Readonly<Record<string, (text: string, part: string) => boolean>> = {
  ...{ startswith: (text, part) => text.startsWith(part), endswith: (text, part) => text.endsWith(part) },
};

function listOf(parts: readonly Part[]): Part {
  return (host) => parts.map((part) => part(host));
}

/** Reads a condition by descent: `or`, then `and`, `not`, a comparison, a value. */
export class WhenReader {
  private at = 0;
  private depth = 0;

  constructor(private readonly words: readonly string[]) {}

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
    const both = () => this.chain('and', () => this.negated(), isFalse);
    const part = this.chain('or', both, isTrue);
    this.depth -= 1;
    return part;
  }

  /** Python's `or` and `and`: the first value that decides, or else the last one. */
  private chain(word: string, next: () => Part, decides: typeof isTrue): Part {
    const part = next();
    if (!this.takes(word)) return part;
    const rest = this.chain(word, next, decides);
    return (host) => {
      const value = part(host);
      return decides(value) ? value : rest(host);
    };
  }

  private negated(): Part {
    if (!this.takes('not')) return this.compared();
    const part = this.negated();
    return (host) => !isTrue(part(host));
  }

  private compared(): Part {
    const left = this.value();
    if (this.takes('==')) return this.pair(left, isEqual);
    if (this.takes('!=')) return this.pair(left, (a, b) => !isEqual(a, b));
    const isNot = this.takes('not', 'in');
    if (!isNot && !this.takes('in')) return left;
    if (this.takes('env')) return (host) => (variableIn(host, textOf(left(host), '"in"')) !== null) !== isNot;
    return this.pair(left, (a, b) => has(b, a) !== isNot);
  }

  private pair(left: Part, judge: typeof isEqual): Part {
    const right = this.value();
    return (host) => judge(left(host), right(host));
  }

  private value(): Part {
    let part = this.primary();
    while (this.takes('.')) {
      const [name = ''] = this.words.slice(this.at);
      const method =
        (Object.hasOwn(METHODS, name) && METHODS[name]) || refuse(`${quoted(name)} is not known of a text`);
      this.at += 1;
      const [of, [by = refuse(`${name} needs a text`)]] = [part, this.list('(', ')')] as const;
      part = (host) => method(textOf(of(host), name), textOf(by(host), name));
    }
    return part;
  }

  private primary(): Part {
    const [word = 'the end'] = this.words.slice(this.at);
    if (word === '(') return this.group();
    if (word === '[') return listOf(this.list('[', ']'));
    this.at += 1;
    if (/['"]$/.test(word)) return () => textIn(word);
    if (word === 'env') return this.variable();
    if (word === 're') return this.search();
    return (Object.hasOwn(NAMES, word) && NAMES[word]) || refuse(`${quoted(word)} is not known`);
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
    return parts.length === 1 && this.words[this.at - 2] !== ',' ? parts[0]! : listOf(parts);
  }

  /** `env['NAME']`, `env.get('NAME', default)`. */
  private variable(): Part {
    const isGet = this.takes('.', 'get');
    const [name = refuse('env needs a name'), other = () => null] = isGet ? this.list('(', ')') : this.list('[', ']');
    return (host) => {
      const key = textOf(name(host), 'env');
      const value = variableIn(host, key);
      if (value !== null || isGet) return value ?? other(host);
      throw new Unknown(`\`host.env\` does not say ${key}`, `env.${key}`);
    };
  }

  /** `re.search(expression, text)`, `re.match(expression, text)`. */
  private search(): Part {
    this.expect('.');
    const isMatch = this.takes('match');
    if (!isMatch) this.expect('search');
    const [of, text] = this.list('(', ')');
    if (of === undefined || text === undefined) return refuse('re needs an expression and a text');
    return (host) => {
      const source = textOf(of(host), 're');
      return compileExpression(isMatch ? `^(?:${source})` : source).test(textOf(text(host), 're'));
    };
  }
}
