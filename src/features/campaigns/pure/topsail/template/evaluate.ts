import { fail, SlipwayFailure } from '../../../../../model/failure.js';
import { didYouMean } from '../../../../../model/suggest.js';
import { template } from '../errors.js';
import { numberBy, textBy, within } from './arguments.js';
import { calculated, COMPARISONS } from './calculate.js';
import { DICT_METHODS, FILTERS, OF_ABSENT, pick, TESTS, TEXT_METHODS } from './filters.js';
import { nameOf, type Node } from './nodes.js';
import { floatOf, isDict, isList, isTrue, ownOf, said, type Value } from './python.js';
import type { Scope } from './scope.js';
import type { Work } from './work.js';

/** Evaluates expressions. An undefined name is a problem, except where `is defined` or `default` asks for it. */
export class Evaluator {
  readonly #work: Work;

  constructor(work: Work) {
    this.#work = work;
  }

  /** Returns a value that is defined. Throws TEMPLATE_UNDEFINED, and problems of the value. */
  value(node: Node, scope: Scope): Value {
    const value = this.#maybe(node, scope);
    if (value !== undefined) return value;
    if (node.type === 'SelectExpression') return '';
    throw fail(template.undefinedName(this.#work.place, pathOf(node), this.#meant(node, scope)));
  }

  #maybe(node: Node, scope: Scope): Value {
    this.#work.step();
    switch (node.type) {
      case 'Identifier':
        return scope.get(this.#name(node));
      case 'MemberExpression':
        return this.#member(node, scope);
      case 'FilterExpression':
        return this.#filtered(node, scope);
      case 'TestExpression': {
        const value = this.#maybe(node.operand, scope);
        const test = pick(TESTS, this.#name(node.test), 'test', this.#work);
        if (value === undefined && !nameOf(node.test).name.endsWith('defined')) return this.value(node.operand, scope);
        return test(value) !== node.negate;
      }
      case 'CallExpression':
        return this.#called(node, scope);
      case 'SelectExpression':
        return isTrue(this.value(node.test, scope)) ? this.value(node.lhs, scope) : undefined;
      case 'Ternary':
        return this.value(isTrue(this.value(node.condition, scope)) ? node.trueExpr : node.falseExpr, scope);
      default:
        return this.#made(node, scope);
    }
  }

  #made(node: Node, scope: Scope): Value {
    const { value } = node;
    switch (node.type) {
      case 'StringLiteral':
        return this.#work.made(value as string);
      case 'IntegerLiteral':
        return within(value as number, Number.MAX_SAFE_INTEGER, this.#work);
      case 'FloatLiteral':
        return floatOf(value as number);
      case 'ArrayLiteral':
        this.#work.make((value as readonly Node[]).length);
        return (value as readonly Node[]).map((one) => this.value(one, scope));
      case 'UnaryExpression': {
        const argument = this.value(node.argument, scope);
        if (node.operator.value === 'not') return !isTrue(argument);
        numberBy(argument, this.#work);
        return calculated('*', argument, node.operator.value === '-' ? -1 : 1, this.#work);
      }
      case 'BinaryExpression':
        return this.#binary(node, scope);
      default:
        throw this.#work.unsupported(`expression of type ${node.type}`, 'Write a list in brackets, or a plain value');
    }
  }

  #binary({ operator: { value: sign }, left, right }: Node, scope: Scope): Value {
    const first = this.value(left, scope);
    if (sign === 'and' || sign === 'or') return isTrue(first) === (sign === 'and') ? this.value(right, scope) : first;
    if (COMPARISONS.includes(sign) && left.type === 'BinaryExpression' && COMPARISONS.includes(left.operator.value))
      throw this.#work.unsupported('chain of comparisons', 'Join two comparisons by `and`');
    return calculated(sign, first, this.value(right, scope), this.#work);
  }

  #member(node: Node, scope: Scope): Value {
    const object = this.value(node.object, scope);
    const { property } = node;
    if (!node.computed && property.type === 'Identifier') {
      const name = this.#name(property);
      if (isDict(object) && OF_DICTS.includes(name))
        throw this.#work.unsupported(`key .${name}, which is a method of maps`, `Write ['${name}'], or call it`);
      return isDict(object) ? ownOf(object, name) : undefined;
    }
    const key = this.value(property, scope);
    if (isDict(object)) return ownOf(object, textBy(key, this.#work));
    if (!isList(object) && typeof object !== 'string') throw this.#work.wrong(`${said(object)} has no items`);
    return object.at(within(key, Number.MAX_SAFE_INTEGER, this.#work));
  }

  #filtered({ operand, filter: say }: Node, scope: Scope): Value {
    const called = say.type === 'CallExpression' ? say.callee : say;
    const name = this.#name(called);
    const { takes, run } = pick(FILTERS, name, 'filter', this.#work);
    const value = OF_ABSENT.includes(name) ? this.#maybe(operand, scope) : this.value(operand, scope);
    const args = say.type === 'CallExpression' ? this.#arguments(say.args, takes, name, scope) : [];
    this.#name(called);
    return run(value, args, this.#work);
  }

  #arguments(args: readonly Node[], takes: readonly string[], name: string, scope: Scope): readonly Value[] {
    const given: Value[] = [];
    for (const [index, one] of args.entries()) {
      const at = one.type === 'KeywordArgumentExpression' ? takes.indexOf(this.#name(one.key)) : index;
      if (at < 0 || at >= takes.length || given[at] !== undefined)
        throw this.#work.unsupported(
          `such argument of ${name}`,
          `It takes ${takes.join(', ') || 'none'}; correct the call`,
        );
      given[at] = this.value(one.type === 'KeywordArgumentExpression' ? (one.value as Node) : one, scope);
    }
    return given;
  }

  #called({ callee, args }: Node, scope: Scope): Value {
    if (callee.type !== 'MemberExpression' || callee.computed) {
      if (callee.type !== 'Identifier' || this.#name(callee) !== 'range')
        throw this.#work.unsupported(
          `function ${pathOf(callee)}`,
          'Use range, a filter, or a method of texts and maps',
        );
      return this.#range(this.#arguments(args, ['start', 'stop', 'step'], 'range', scope));
    }
    const own = this.value(callee.object, scope);
    const methods = typeof own === 'string' ? TEXT_METHODS : isDict(own) ? DICT_METHODS : {};
    const method = pick(methods, this.#name(callee.property), `method of ${said(own)} with the name`, this.#work);
    return method(own as never, this.#arguments(args, ['first', 'second'], 'the method', scope), this.#work);
  }

  #range(given: readonly Value[]): Value {
    const [first = 0, second, step = 1] = given.map((one) => within(one, Number.MAX_SAFE_INTEGER, this.#work));
    const [from, to] = second === undefined ? [0, first] : [first, second];
    if (step === 0) throw this.#work.wrong('range has the step 0');
    const length = Math.max(0, Math.ceil((to - from) / step));
    this.#work.make(length);
    return Array.from({ length }, (_, index) => from + index * step);
  }

  #name(node: Node): string {
    const { name, at } = nameOf(node);
    this.#work.at = at ?? this.#work.at;
    return name;
  }

  #meant(node: Node, scope: Scope): string {
    const isKey = node.type === 'MemberExpression' && node.property.type === 'Identifier';
    if (!isKey && node.type !== 'Identifier') return '';
    const known = isKey ? Object.keys(Object(this.#known(node.object, scope))) : scope.names();
    const short = known.filter(({ length }) => length < 100).slice(0, 1_000);
    return didYouMean(nameOf(isKey ? node.property : node).name, short);
  }

  #known(node: Node, scope: Scope): Value {
    const { at } = this.#work;
    try {
      return this.#maybe(node, scope);
    } catch (error) {
      if (error instanceof SlipwayFailure) return null;
      throw error;
    } finally {
      this.#work.at = at;
    }
  }
}

const OF_DICTS = [...Object.keys(DICT_METHODS), 'pop', 'popitem', 'update', 'copy', 'clear', 'setdefault', 'fromkeys'];

/** `a.b.c` of an expression, for messages. */
function pathOf(node: Node): string {
  if (node.type === 'Identifier') return nameOf(node).name;
  if (node.type !== 'MemberExpression') return 'the value';
  const { property } = node;
  const key =
    property.type === 'Identifier' && !node.computed
      ? `.${nameOf(property).name}`
      : `[${String(property.value ?? '…').split('\0')[0]}]`;
  return `${pathOf(node.object)}${key}`;
}
