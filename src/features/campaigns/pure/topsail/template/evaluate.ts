import { quoted } from '../../../../../importers/file-problem.js';
import { fail } from '../../../../../model/failure.js';
import { didYouMean } from '../../../../../model/suggest.js';
import { template } from '../errors.js';
import { nameOf, type Node } from './nodes.js';
import * as operations from './operations.js';
import { type Dict, floatOf, isDict, isList, isTrue, ownOf, described, type Value } from './values.js';
import type { Work } from './work.js';

/** The value of a name whose expression has a problem. */
export const BROKEN = Symbol('broken');

/** Names of a template: its own, and those around it by the prototype. The outermost is the configuration. */
export interface Scope {
  [name: string]: Value | typeof BROKEN;
}
const WORDS: Dict = { true: true, false: false, none: null, True: true, False: false, None: null };
/** Python's methods of maps, which Jinja2 prefers to keys. */
const OF_DICTS = 'items keys values get pop popitem update copy clear setdefault fromkeys'.split(' ');

const OF_A_MAP = 'Write {% for key in map %} and map[key], or map[key] | default(…)';

/** Evaluates expressions. An undefined name is a problem, except where `is defined` or `default` asks for it. */
export class Evaluator {
  /** Names that the last undefined one may have meant. */
  #near: () => Iterable<string> = () => [];

  constructor(readonly work: Work) {}

  /** Returns a value that is defined. Throws TEMPLATE_UNDEFINED, and problems of the value. */
  value(node: Node, scope: Scope): Value {
    const value = this.#maybe(node, scope);
    if (value !== undefined) return value;
    if (node.type === 'SelectExpression') return '';
    const path = pathOf(node);
    const meant = didYouMean(path.replace(/^.*\./, ''), this.#near());
    throw fail(template.undefinedName(this.work.place, path, meant));
  }

  /** Returns the name of an identifier, which is the place of problems from now on. */
  name(node: Node): string {
    const { name, at } = nameOf(node);
    this.work.at = at;
    return name;
  }

  #maybe(node: Node, scope: Scope): Value {
    this.work.step();
    switch (node.type) {
      case 'Identifier':
        return this.#named(this.name(node), scope);
      case 'MemberExpression':
        return this.#member(node, scope);
      case 'FilterExpression': {
        const { filter } = node;
        const called = filter.type === 'CallExpression' ? filter.callee : filter;
        const value = this.#operand(node, called, scope);
        return this.#applied('filter', called, [value, ...this.#arguments(filter.args ?? [], scope)]);
      }
      case 'TestExpression':
        return this.#applied('test', node.test, [this.#operand(node, node.test, scope)]) !== node.negate;
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

  /** Only `default`, `is defined` and `is undefined` take a value that may be absent. */
  #operand({ operand }: Node, asks: Node, scope: Scope): Value {
    return /^default$|defined$/.test(nameOf(asks).name) ? this.#maybe(operand, scope) : this.value(operand, scope);
  }

  #made(node: Node, scope: Scope): Value {
    const { value } = node;
    switch (node.type) {
      case 'StringLiteral':
        return this.work.made(value as string);
      case 'IntegerLiteral':
        return operations.wholeBy(value as number, this.work);
      case 'FloatLiteral':
        return floatOf(value as number);
      case 'ArrayLiteral':
        this.work.make((value as readonly Node[]).length);
        return this.#arguments(value as readonly Node[], scope);
      case 'UnaryExpression': {
        const argument = this.value(node.argument, scope);
        if (node.operator.value === 'not') return !isTrue(argument);
        return operations.calculated('*', argument, node.operator.value === '-' ? -1 : 1, this.work);
      }
      case 'BinaryExpression':
        return this.#binary(node, scope);
      default:
        throw this.work.unsupported(
          `expression of type ${node.type}`,
          'Write a list in brackets or a plain value; arguments have no names',
        );
    }
  }

  #binary({ operator: { value: sign }, left, right }: Node, scope: Scope): Value {
    const first = this.value(left, scope);
    if (sign === 'and' || sign === 'or') return isTrue(first) === (sign === 'and') ? this.value(right, scope) : first;
    if (
      operations.COMPARISONS.includes(sign) &&
      left.type === 'BinaryExpression' &&
      operations.COMPARISONS.includes(left.operator.value)
    )
      throw this.work.unsupported('chain of comparisons', 'Join two comparisons by `and`');
    return operations.calculated(sign, first, this.value(right, scope), this.work);
  }

  /** Throws a failure without problems if the problem of the name is known already. */
  #named(name: string, scope: Scope): Value {
    if (Object.hasOwn(WORDS, name)) return WORDS[name];
    const value = scope[name];
    if (value === BROKEN) throw fail([]);
    this.#near = () => namesOf(scope);
    return value;
  }

  #member({ object, property, computed }: Node, scope: Scope): Value {
    const own = this.value(object, scope);
    if (computed || property.type !== 'Identifier') return this.#item(own, this.value(property, scope));
    const name = this.name(property);
    if (isDict(own) && OF_DICTS.includes(name))
      throw this.work.unsupported(`key .${name}, which is a method of maps`, `Write ['${name}']`);
    this.#near = () => Object.keys(Object(own));
    return isDict(own) ? ownOf(own, name) : undefined;
  }

  #item(own: Value, key: Value): Value {
    this.#near = () => [];
    if (isDict(own)) return ownOf(own, operations.textBy(key, this.work));
    if (!isList(own) && typeof own !== 'string') throw this.work.wrong(`${described(own)} has no items`);
    return own.at(operations.wholeBy(key, this.work));
  }

  #called({ callee, args }: Node, scope: Scope): Value {
    const given = this.#arguments(args, scope);
    if (callee.type === 'Identifier') return this.#applied('function', callee, given);
    if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier')
      throw this.work.unsupported(`call of ${pathOf(callee)}`, 'Use range, a filter, or a method of texts');
    const own = this.value(callee.object, scope);
    if (isDict(own)) throw this.work.unsupported(`method ${quoted(this.name(callee.property))} of maps`, OF_A_MAP);
    return this.#applied('method', callee.property, [own, ...given]);
  }

  /** Throws TEMPLATE_NOT_SUPPORTED for a name that is not in the table, and for too many values. */
  #applied(kind: keyof typeof operations.TABLES, node: Node, values: readonly Value[]): Value {
    const [name, table] = [this.name(node), operations.TABLES[kind]];
    const known = Object.keys(table);
    const isFilter = kind === 'method' && Object.hasOwn(operations.TABLES.filter, name);
    const instead = isFilter ? `Write | ${name}` : `Use one of ${known.join(', ')}`;
    if (!Object.hasOwn(table, name))
      throw this.work.unsupported(`${kind} ${quoted(name)}`, instead, didYouMean(name, known));
    const run = table[name]!;
    if (values.length > run.length - 1 && name !== 'range')
      throw this.work.unsupported(`${kind} ${quoted(name)} with so many arguments`, 'Take arguments away');
    return run(this.work, ...values);
  }

  #arguments(args: readonly Node[], scope: Scope): readonly Value[] {
    return args.map((one) => this.value(one, scope));
  }
}

function* namesOf(scope: Scope): Iterable<string> {
  for (const name in scope) yield name;
}

/** `a.b.c` of an expression, for messages. */
function pathOf(node: Node): string {
  if (node.type === 'Identifier') return nameOf(node).name;
  if (node.type !== 'MemberExpression') return 'the value';
  const { object, property, computed } = node;
  const key = nameOf(property).name || '…';
  return `${pathOf(object)}${computed || property.type !== 'Identifier' ? `[${key}]` : `.${key}`}`;
}
