import { fail, type Problem, SlipwayFailure, type SourceLocation } from '../../../../../model/failure.js';
import { template } from '../errors.js';
import { BROKEN, Evaluator, type Scope } from './evaluate.js';
import { type Node, nodesOf } from './nodes.js';
import { listBy } from './operations.js';
import { isDict, isTrue, textOf, type Value } from './values.js';
import { MOST, Work } from './work.js';

export interface Rendered {
  /** Null: it has problems. */
  readonly text: string | null;
  /** All problems at once. */
  readonly problems: readonly Problem[];
  /** Variables of the environment that `or_env` refers to: `$NAME`. */
  readonly references: ReadonlySet<string>;
  /** Returns the place in the template of a line of the text, counted from 1. */
  placeOf(line: number): SourceLocation;
}

/** Renders a template of Jinja2 with the configuration as its names, as Jinja2 prints it; except that a null alone is `null`.
 * Throws nothing. Source: upstream's projects/core/toolbox/from_config.py. */
export function render(source: string, file: string, document: Value): Rendered {
  const text = source.replace(/\r\n?/g, '\n');
  const place = (at: number): SourceLocation => {
    const before = text.slice(0, at);
    return { file, line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
  };
  const work = new Work(place);
  const printer = new Printer(work);
  try {
    printer.block(nodesOf(text, place), Object.assign(Object.create(null) as Scope, isDict(document) ? document : {}));
  } catch (error) {
    printer.note(error);
  }
  return {
    text: printer.problems.length > 0 ? null : printer.pieces.join(''),
    problems: printer.problems,
    references: work.references,
    placeOf: (line) => place(printer.lines[line - 1] ?? 0),
  };
}

/** Carries statements out, and collects output and problems. */
class Printer extends Evaluator {
  readonly pieces: string[] = [];
  readonly problems: Problem[] = [];
  /** Offset in the template of each line of the output. */
  readonly lines: number[] = [0];
  readonly #known = new Set<string>();

  get #isOver(): boolean {
    return this.problems.length >= MOST.problems || this.problems.some(({ code }) => code === 'TEMPLATE_TOO_LARGE');
  }

  block(nodes: readonly Node[], scope: Scope): void {
    for (const [index, node] of nodes.entries()) {
      if (this.#isOver) return;
      if (node.type === 'Comment') this.work.at = Number(node.value);
      else if (node.type === 'Set') this.#set(node, scope);
      else
        this.#attempt(() => {
          if (node.type === 'If') this.block(isTrue(this.value(node.test, scope)) ? node.body : node.alternate, scope);
          else if (node.type === 'For') this.#loop(node, scope);
          else this.#print(node, nodes[index + 2], scope);
        });
    }
  }

  /** Takes what was thrown: further statements may have problems too. */
  note(error: unknown): void {
    if (error instanceof RangeError) return this.note(fail(template.tooLarge(this.work.place, 'values in values')));
    if (!(error instanceof SlipwayFailure)) throw error;
    this.problems.push(...error.problems.filter((one) => !this.#known.has(keyOf(one))));
    for (const one of error.problems) this.#known.add(keyOf(one));
  }

  /** Returns false if it failed. A failure counts as many evaluations: it makes a message, and a loop may repeat it. */
  #attempt(run: () => void): boolean {
    try {
      this.work.step();
      run();
      return true;
    } catch (error) {
      this.note(error);
    }
    if (!this.#isOver) this.#attempt(() => this.work.step(MOST.evaluations / MOST.failures));
    return false;
  }

  #set({ assignee, value }: Node, scope: Scope): void {
    let name: string | null = null;
    const isSet = this.#attempt(() => {
      name = this.#target(assignee);
      scope[name] = this.value(value as Node, scope);
    });
    if (!isSet && name !== null) scope[name] = BROKEN;
  }

  #target(node: Node): string {
    if (node.type === 'Identifier') return this.name(node);
    throw this.work.unsupported(
      'such target of an assignment',
      'Assign to one name; of a map write {% for key in map %} and map[key]',
    );
  }

  #loop({ iterable, loopvar, body, defaultBlock }: Node, scope: Scope): void {
    const name = this.#target(loopvar);
    if (iterable.type === 'SelectExpression')
      throw this.work.unsupported('condition of a loop', 'Write {% if %} inside the loop');
    const items = listBy(this.value(iterable, scope), this.work);
    if (items.length === 0) this.block(defaultBlock, scope);
    for (const [index0, item] of items.entries()) {
      if (this.#isOver) return;
      this.work.step();
      const { length } = items;
      const inner = Object.create(scope) as Scope;
      inner[name] = item;
      inner['loop'] = { index: index0 + 1, index0, first: index0 === 0, last: index0 === length - 1, length };
      this.block(body, inner);
    }
  }

  #print(node: Node, next: Node | undefined, scope: Scope): void {
    const start = this.work.at;
    const isText = node.type === 'StringLiteral';
    const value = this.value(node, scope);
    const isAlone = value === null && /[:-] +$/.test(this.pieces.at(-1) ?? '') && isLineEnd(next);
    const text = isAlone ? 'null' : textOf(value, this.work);
    if (!isText) this.work.make(text.length);
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
      this.lines.push(isText ? start + at + 1 : start);
    this.pieces.push(text);
  }
}

/** Message and place of a problem: the same text for the same problem. */
export const keyOf = ({ message, place }: Problem): string => `${place?.line}:${place?.column} ${message}`;

const isLineEnd = (next: Node | undefined): boolean =>
  next === undefined || (next.type === 'StringLiteral' && /^[ \t]*\n/.test(String(next.value)));
