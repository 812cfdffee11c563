import { SlipwayFailure, type Problem, type SourceLocation } from '../../../../../model/failure.js';
import { listBy } from './arguments.js';
import { Evaluator } from './evaluate.js';
import { nameOf, type Node, nodesOf } from './nodes.js';
import { isList, isTrue, said, textOf, type Value } from './python.js';
import { BROKEN, Scope } from './scope.js';
import { isEnd, MOST, Work } from './work.js';
import { template } from '../errors.js';

export interface Rendered {
  /** Null: it has problems. */
  readonly text: string | null;
  /** All problems at once. */
  readonly problems: readonly Problem[];
  /** Messages of `log_warning`. */
  readonly warnings: readonly { readonly text: string; readonly place: SourceLocation }[];
  /** Variables of the environment that `or_env` refers to: `$NAME`. */
  readonly references: ReadonlySet<string>;
  /** Returns the place in the template of a line of the text, counted from 1. */
  placeOf(line: number): SourceLocation;
}

/** Renders a template of Jinja2 with the configuration as its names, as Jinja2 prints it; except that a null alone is `null`.
 * Throws nothing. Source: upstream's projects/core/toolbox/from_config.py. */
export function render(source: string, file: string, document: Value): Rendered {
  const text = source.replace(/\r\n?/g, '\n');
  const place = placer(text, file);
  const work = new Work(place);
  const printer = new Printer(work);
  try {
    printer.block(nodesOf(text, place), new Scope(document));
  } catch (error) {
    printer.note(error);
  }
  return {
    text: printer.problems.length > 0 ? null : printer.pieces.join(''),
    problems: printer.problems,
    warnings: work.warnings.map(({ at, text: said_ }) => ({ text: said_, place: place(at) })),
    references: work.references,
    placeOf: (line) => place(printer.lines[line - 1] ?? 0),
  };
}

function placer(text: string, file: string): (at: number) => SourceLocation {
  return (at) => {
    const before = text.slice(0, at);
    const start = before.lastIndexOf('\n') + 1;
    return { file, line: before.split('\n').length, column: at - start + 1 };
  };
}

class Printer {
  readonly pieces: string[] = [];
  readonly problems: Problem[] = [];
  /** Offset in the template of each line of the output. */
  readonly lines: number[] = [0];
  readonly #work: Work;
  readonly #evaluator: Evaluator;

  constructor(work: Work) {
    this.#work = work;
    this.#evaluator = new Evaluator(work);
  }

  get #isOver(): boolean {
    return this.problems.length >= MOST.problems || this.problems.some(isEnd);
  }

  block(nodes: readonly Node[], scope: Scope): void {
    for (const [index, node] of nodes.entries()) {
      if (this.#isOver) return;
      if (node.type === 'Comment') this.#work.at = Number(node.value);
      else if (node.type === 'Set') this.#set(node, scope);
      else
        this.#attempt(() => {
          if (node.type === 'If') this.block(isTrue(this.#value(node.test, scope)) ? node.body : node.alternate, scope);
          else if (node.type === 'For') this.#loop(node, scope);
          else this.#print(node, nodes[index + 2], scope);
        });
    }
  }

  /** Takes what was thrown: further statements may have problems too. */
  note(error: unknown): void {
    const found = error instanceof SlipwayFailure ? error.problems : this.#tooDeep(error);
    for (const one of found) if (!this.problems.some((other) => isSame(one, other))) this.problems.push(one);
  }

  #tooDeep(error: unknown): readonly Problem[] {
    if (!(error instanceof RangeError)) throw error;
    return [template.tooLarge(this.#work.place, 'values in values')];
  }

  /** Returns false if it failed. A failure counts as many evaluations: it makes a message, and a loop may repeat it. */
  #attempt(run: () => void): boolean {
    try {
      this.#work.step();
      run();
      return true;
    } catch (error) {
      this.note(error);
    }
    if (!this.#isOver) this.#attempt(() => this.#work.step(MOST.evaluations / MOST.failures));
    return false;
  }

  #value(node: Node, scope: Scope): Value {
    return this.#evaluator.value(node, scope);
  }

  #set({ assignee, value }: Node, scope: Scope): void {
    const isSet = this.#attempt(() => this.#assign(assignee, this.#value(value as Node, scope), scope));
    if (!isSet) for (const { value: name } of namesIn(assignee)) scope.set(String(name).split('\0')[0]!, BROKEN);
  }

  #assign(target: Node, value: Value, scope: Scope): void {
    const names = namesIn(target).map((one) => nameOf(one).name);
    if (names.length === 0) throw this.#work.unsupported('such target of an assignment', 'Assign to a name');
    if (target.type === 'Identifier') return scope.set(names[0]!, value);
    if (!isList(value) || value.length !== names.length)
      throw this.#work.wrong(`${said(value)} has not ${names.length} items for ${names.join(', ')}`);
    for (const [index, name] of names.entries()) scope.set(name, value[index]);
  }

  #loop({ iterable, loopvar, body, defaultBlock }: Node, scope: Scope): void {
    const isChosen = iterable.type === 'SelectExpression';
    const all = listBy(this.#value(isChosen ? iterable.lhs : iterable, scope), this.#work);
    const scopeOf = (item: Value): Scope => {
      const inner = new Scope(scope);
      this.#assign(loopvar, item, inner);
      return inner;
    };
    const items = isChosen ? all.filter((item) => isTrue(this.#value(iterable.test, scopeOf(item)))) : all;
    if (items.length === 0) this.block(defaultBlock, scope);
    for (const [index, item] of items.entries()) {
      if (this.#isOver) return;
      this.#work.step();
      const inner = scopeOf(item);
      inner.set('loop', loopOf(items, index));
      this.block(body, inner);
    }
  }

  #print(node: Node, next: Node | undefined, scope: Scope): void {
    const start = this.#work.at;
    const value = this.#value(node, scope);
    const isAlone = value === null && /[:-] +$/.test(this.pieces.at(-1) ?? '') && isLineEnd(next);
    const text = isAlone ? 'null' : textOf(value, this.#work);
    this.#work.write(text.length);
    const isText = node.type === 'StringLiteral';
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
      this.lines.push(isText ? start + at + 1 : start);
    this.pieces.push(text);
  }
}

const isSame = (a: Problem, b: Problem): boolean =>
  a.message === b.message && a.place?.line === b.place?.line && a.place?.column === b.place?.column;

const isLineEnd = (next: Node | undefined): boolean =>
  next === undefined || (next.type === 'StringLiteral' && /^[ \t]*\n/.test(String(next.value)));

const namesIn = (target: Node): readonly Node[] =>
  (target.type === 'TupleLiteral' ? (target.value as readonly Node[]) : [target]).filter(
    ({ type }) => type === 'Identifier',
  );

/** One literal: a loop makes it a million times. */
const loopOf = (items: readonly Value[], index: number): Value => ({
  index: index + 1,
  index0: index,
  first: index === 0,
  last: index === items.length - 1,
  revindex: items.length - index,
  revindex0: items.length - index - 1,
  length: items.length,
  previtem: items[index - 1],
  nextitem: items[index + 1],
});
