import { parse, tokenize } from '@huggingface/jinja';
import { fail, type Problem, type SourceLocation } from '../../../../../model/failure.js';
import { template } from '../errors.js';
import { MOST } from './work.js';

/** Keys of nodes that are nodes. */
type Part =
  | ('test' | 'iterable' | 'loopvar' | 'assignee' | 'left' | 'right' | 'operand' | 'filter' | 'object' | 'property')
  | ('callee' | 'condition' | 'trueExpr' | 'falseExpr' | 'lhs' | 'argument' | 'key');

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
  readonly start?: Node;
  readonly stop?: Node;
  readonly step?: Node;
}

interface Token {
  readonly type: string;
  readonly value: string;
}

/** Tags of blocks; the others belong to them. Jinja2 has more, which nothing here needs or which print otherwise in the library. */
const BEGINS = ['if', 'for', 'set'];
const TAGS = [...BEGINS, 'elif', 'else', 'endif', 'endfor'];
const WORDS = new Set([...TAGS, 'in', 'is', 'not', 'and', 'or']);
const MARK = '\0';

/** Returns the name of an identifier and its offset in the template. */
export function nameOf({ value }: Node): { readonly name: string; readonly at: number | null } {
  const text = value as string;
  const end = text.indexOf(MARK);
  return end < 0 ? { name: text, at: null } : { name: text.slice(0, end), at: Number(text.slice(end + 1)) };
}

/** Parses a template. Throws TEMPLATE_SYNTAX, TEMPLATE_NOT_SUPPORTED or TEMPLATE_TOO_LARGE. A comment among the nodes has the
 * offset of the next node as its value. */
export function nodesOf(text: string, place: (at: number) => SourceLocation): readonly Node[] {
  const blanks = /\s{500}/.exec(text);
  if (text.length > MOST.characters) throw fail(template.tooLarge(place(0), `${MOST.characters} characters`));
  if (blanks) throw fail(template.tooLarge(place(blanks.index), `${MOST.blanks} blanks in a row`));
  const own = /\{%-?\s*(end)?generation\s*-?%\}/.exec(text);
  if (own) throw fail(unsupported(place(own.index), 'generation'));
  const seen = { at: 0 };
  const tokens = marked(lexed(text, place), text, place).map(({ type, value, at }) => ({
    value,
    get type() {
      seen.at = at;
      return type;
    },
  }));
  try {
    return (parse(tokens as never) as unknown as { readonly body: readonly Node[] }).body;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    const why = error instanceof TypeError ? 'it ends inside a tag or a block' : (error as Error).message;
    throw fail(template.syntax(place(seen.at), why.replace(/\0\d+/g, '')));
  }
}

const unsupported = (place: SourceLocation, tag: string): Problem =>
  template.unsupported(place, `tag {% ${tag} %}`, `Write it with ${BEGINS.join(', ')}`);

function lexed(text: string, place: (at: number) => SourceLocation): readonly Token[] {
  try {
    return tokenize(text, {});
  } catch (error) {
    const why = (error as Error).message;
    let at = 0;
    for (const part of text.split(/(?=\{[{%#])/)) {
      if (faultOf(part) === why) break;
      at += part.length;
    }
    throw fail(template.syntax(place(at >= text.length ? 0 : at), why));
  }
}

function faultOf(part: string): string | null {
  try {
    tokenize(part, {});
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Tokens with their offsets. The library drops offsets, so each name and the start of each node carries its own. */
function marked(tokens: readonly Token[], text: string, place: (at: number) => SourceLocation) {
  const all: { readonly type: string; readonly value: string; readonly at: number }[] = [];
  const depth = { brackets: 0, blocks: 0, branches: 0, tokens: 0 };
  let end = 0;
  for (const [index, { type, value }] of tokens.entries()) {
    if (type === 'Comment') continue;
    const [at, next] = type === 'StringLiteral' ? literalAt(text, end) : wordAt(text, value, end);
    end = next;
    const tag = type === 'OpenStatement' ? tokens[index + 1]!.value : null;
    if (tag !== null && !TAGS.includes(tag)) throw fail(unsupported(place(at), tag));
    count(depth, type, tag);
    if (depth.tokens > MOST.tokens || depth.branches > MOST.tokens)
      throw fail(template.tooLarge(place(at), `${MOST.tokens} words in a tag, or elif`));
    if (depth.brackets > MOST.depth || depth.blocks > MOST.depth)
      throw fail(template.tooLarge(place(at), `${MOST.depth} brackets or blocks inside each other`));
    const isNode = type === 'Text' || type === 'OpenExpression' || (tag !== null && BEGINS.includes(tag));
    if (isNode) all.push({ type: 'Comment', value: String(at), at });
    const isName = type === 'Identifier' && !WORDS.has(value);
    all.push({ type, value: isName ? `${value}${MARK}${at}` : value, at });
  }
  return all;
}

type Depth = Record<'brackets' | 'blocks' | 'branches' | 'tokens', number>;
function count(depth: Depth, type: string, tag: string | null): void {
  depth.tokens = type.startsWith('Open') && /Statement|Expression/.test(type) ? 0 : depth.tokens + 1;
  if (depth.tokens === 0) depth.brackets = 0;
  else if (type.startsWith('Open')) depth.brackets += 1;
  else if (/^Close.*(Paren|Bracket)$/.test(type)) depth.brackets -= 1;
  if (tag === 'if' || tag === 'for') depth.blocks += 1;
  if (tag === 'elif') depth.branches += 1;
  if (tag === 'endif' || tag === 'endfor') depth.blocks -= 1;
}

function wordAt(text: string, word: string, from: number): readonly [at: number, end: number] {
  const at = Math.max(from, text.indexOf(word, from));
  return [at, at + word.length];
}

function literalAt(text: string, from: number): readonly [at: number, end: number] {
  let at = from;
  while (at < text.length && text[at] !== '"' && text[at] !== "'") at += 1;
  let end = at + 1;
  while (end < text.length && text[end] !== text[at]) end += text[end] === '\\' ? 2 : 1;
  return [at, end + 1];
}
