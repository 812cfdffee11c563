import { parse, tokenize } from '@huggingface/jinja';
import { fail, type SourceLocation } from '../../../../../model/failure.js';
import { template } from '../errors.js';
import { MOST } from './work.js';

/** Keys of nodes that are nodes. */
type Part =
  | ('test' | 'iterable' | 'loopvar' | 'assignee' | 'left' | 'right' | 'operand' | 'filter' | 'object' | 'property')
  | ('callee' | 'condition' | 'trueExpr' | 'falseExpr' | 'lhs' | 'argument');

/** A node of the library's tree. Which keys it has follows from its type. */
export interface Node extends Readonly<Record<Part, Node>> {
  readonly type: string;
  readonly value: unknown;
  readonly body: readonly Node[];
  readonly alternate: readonly Node[];
  readonly defaultBlock: readonly Node[];
  readonly args: readonly Node[];
  readonly operator: { readonly value: string };
  readonly negate: boolean;
  readonly computed: boolean;
}

interface Token {
  readonly type: string;
  readonly value: string;
  readonly at: number;
}

const BEGINS = ['if', 'for', 'set'];
const TAGS = [...BEGINS, 'elif', 'else', 'endif', 'endfor'];
const WORDS = new Set([...TAGS, 'in', 'is', 'not', 'and', 'or']);
const MARK = '\0';
const TEXT = String.raw`'(?:\\[^]|[^'\\])*'|"(?:\\[^]|[^"\\])*"`;
const NAMES = new RegExp(`${TEXT}|[A-Za-z_]\\w*`, 'g');

/** Returns the name of an identifier and its offset in the template. */
export function nameOf({ value }: Node): { readonly name: string; readonly at: number } {
  const [name = '', at] = String(value).split(MARK);
  return { name, at: Number(at) };
}

/** Parses a template. Throws TEMPLATE_SYNTAX, TEMPLATE_NOT_SUPPORTED or TEMPLATE_TOO_LARGE. A comment among the nodes has the
 * offset of the next node as its value. */
export function nodesOf(text: string, place: (at: number) => SourceLocation): readonly Node[] {
  const limit = (isOver: boolean, at: number, what: string): void => {
    if (isOver) throw fail(template.tooLarge(place(at), what));
  };
  limit(text.length > MOST.characters, 0, `${MOST.characters} characters`);
  const blanks = text.search(/\s{500}/);
  limit(blanks >= 0, blanks, `${MOST.blanks} blanks in a row`);
  const open = { blocks: 0, branches: 0 };
  const tokens = piecesOf(text, place).flatMap(({ at, text: piece, isTag }): readonly Token[] => {
    const node = { type: 'Comment', value: String(at), at };
    if (!isTag) return [node, { type: 'Text', value: piece, at }];
    const tag = /^\{%-?\s*(\w+)/.exec(piece)?.[1] ?? '';
    if (piece[1] === '%' && !TAGS.includes(tag))
      throw fail(template.unsupported(place(at), `tag {% ${tag} %}`, `Write it with ${BEGINS.join(', ')}`));
    const all = tokensOf(piece, place(at));
    open.blocks += tag === 'if' || tag === 'for' ? 1 : tag.startsWith('end') ? -1 : 0;
    open.branches += tag === 'elif' ? 1 : 0;
    limit(Math.max(all.length, open.branches) > MOST.tokens, at, `${MOST.tokens} words in a tag, or elif`);
    limit(Math.max(depthOf(all), open.blocks) > MOST.depth, at, `${MOST.depth} brackets or blocks inside each other`);
    const own = marked(all, piece, at);
    return piece[1] === '{' || BEGINS.includes(tag) ? [node, ...own] : own;
  });
  return parsed(tokens, place);
}

/** Texts and tags of a template in order, without comments and without the blanks that `-` takes away. */
function piecesOf(text: string, place: (at: number) => SourceLocation) {
  const pieces: { readonly at: number; readonly text: string; readonly isTag: boolean }[] = [];
  const end = text.endsWith('\n') ? text.length - 1 : text.length;
  const begin = /\{[{%#]/g;
  let last = '';
  for (let at = 0; at < end;) {
    begin.lastIndex = at;
    const next = begin.exec(text)?.index ?? end;
    const raw = text.slice(at, next);
    const left = /-[%}#]\}$/.test(last) ? raw.trimStart() : raw;
    const kept = /^\{[{%#]-/.test(text.slice(next, next + 3)) ? left.trimEnd() : left;
    if (kept !== '') pieces.push({ at: at + raw.length - left.length, text: kept, isTag: false });
    if (next === end) break;
    last = tagAt(text, next) ?? '';
    if (last === '') throw fail(template.syntax(place(next), 'a tag, a text or a comment is not closed'));
    if (last[1] !== '#') pieces.push({ at: next, text: last, isTag: true });
    at = next + last.length;
  }
  return pieces;
}

function tagAt(text: string, at: number): string | undefined {
  const inner = text[at + 1] === '#' ? '[^]*?' : `(?:${TEXT}|[^'"])*?`;
  const ends = { '#': '#', '%': '%', '{': '\\}' }[text[at + 1]!]!;
  const whole = new RegExp(`\\{.${inner}${ends}\\}`, 'y');
  whole.lastIndex = at;
  return whole.exec(text)?.[0];
}

function tokensOf(piece: string, place: SourceLocation): readonly Omit<Token, 'at'>[] {
  try {
    const all: readonly Omit<Token, 'at'>[] = tokenize(piece, {});
    const inner = all.slice(1, -1).some(({ type }) => /Statement|Expression/.test(type));
    if (!inner && /^Close(Statement|Expression)$/.test(all.at(-1)?.type ?? '')) return all;
  } catch (error) {
    throw fail(template.syntax(place, (error as Error).message));
  }
  throw fail(template.syntax(place, 'a brace is not closed'));
}

function depthOf(all: readonly Omit<Token, 'at'>[]): number {
  let [depth, most] = [-1, 0];
  for (const { type } of all) {
    depth += type.startsWith('Open') ? 1 : type.startsWith('Close') ? -1 : 0;
    most = Math.max(most, depth);
  }
  return most;
}

/** The library drops offsets, so each name carries its own. */
function marked(all: readonly Omit<Token, 'at'>[], piece: string, start: number): readonly Token[] {
  const names = [...piece.matchAll(NAMES)].filter(([word]) => /\w/.test(word[0]!)).values();
  return all.map(({ type, value }) => {
    if (type !== 'Identifier') return { type, value, at: start };
    const at = start + (names.next().value?.index ?? 0);
    return { type, value: WORDS.has(value) ? value : `${value}${MARK}${at}`, at };
  });
}

function parsed(tokens: readonly Token[], place: (at: number) => SourceLocation): readonly Node[] {
  let read = 0;
  const noting = tokens.map(({ type, value, at }) => ({
    value,
    get type() {
      read = at;
      return type;
    },
  }));
  try {
    return (parse(noting as never) as unknown as { readonly body: readonly Node[] }).body;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    const why = error instanceof TypeError ? 'it ends inside a tag or a block' : (error as Error).message;
    throw fail(template.syntax(place(read), why.replace(/\0\d+/g, '')));
  }
}
