import { isDict, isEqual, isFloat, isList, floatOf, numberOf, said, textOf, type Value } from './python.js';
import { within } from './arguments.js';
import type { Work } from './work.js';

export const COMPARISONS: readonly string[] = ['==', '!=', '<', '>', '<=', '>=', 'in', 'not in'];

/** An operator with two values, as Python calculates it. Throws TEMPLATE_VALUE. */
export function calculated(sign: string, left: Value, right: Value, work: Work): Value {
  if (sign === '==' || sign === '!=') return isEqual(left, right, work) === (sign === '==');
  if (sign === 'in' || sign === 'not in') return isIn(left, right, work) === (sign === 'in');
  if (sign === '~') return joined(textOf(left, work), textOf(right, work), work);
  const [a, b] = [numberOf(left), numberOf(right)];
  if (a !== null && b !== null) return numeric(sign, a, b, isFloat(left) || isFloat(right), work);
  if (typeof left === 'string' && typeof right === 'string') {
    if (sign === '+') return joined(left, right, work);
    work.step(Math.min(left.length, right.length) >> 6);
    if (COMPARISONS.includes(sign)) return compared(sign, left, right);
  }
  if (sign === '+' && isList(left) && isList(right)) {
    work.make(left.length + right.length);
    return [...left, ...right];
  }
  if (sign === '*' && typeof left === 'string' && b !== null) {
    const times = left === '' ? 0 : Math.max(0, within(right, Number.MAX_SAFE_INTEGER, work));
    work.make(left.length * times);
    return left.repeat(times);
  }
  throw work.wrong(`${said(left)} ${sign} ${said(right)} cannot be calculated; ~ joins texts`);
}

function joined(left: string, right: string, work: Work): string {
  work.make(left.length + right.length);
  return left + right;
}

const compared = <T extends number | string>(sign: string, a: T, b: T): boolean =>
  sign === '<' ? a < b : sign === '>' ? a > b : sign === '<=' ? a <= b : a >= b;

function numeric(sign: string, a: number, b: number, isFraction: boolean, work: Work): Value {
  if (COMPARISONS.includes(sign)) return compared(sign, a, b);
  if (/^(\/\/?|%)$/.test(sign) && b === 0) throw work.wrong('a division by 0');
  if (sign === '/') return floatOf(a / b);
  const result = { '+': a + b, '-': a - b, '*': a * b, '//': Math.floor(a / b), '%': a - b * Math.floor(a / b) }[sign];
  if (result === undefined) throw work.unsupported(`operator ${sign}`, 'Calculate with + - * / // and %');
  return isFraction ? floatOf(result) : within(result, Number.MAX_SAFE_INTEGER, work);
}

function isIn(one: Value, all: Value, work: Work): boolean {
  if (typeof all === 'string' && typeof one === 'string') {
    work.step(1 + (all.length >> 6));
    return all.includes(one);
  }
  if (isList(all)) return all.some((other) => isEqual(one, other, work));
  if (isDict(all) && typeof one === 'string') return Object.hasOwn(all, one);
  throw work.wrong(`${said(one)} cannot be looked for in ${said(all)}`);
}
