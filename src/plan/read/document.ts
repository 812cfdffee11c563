import {
  Composer,
  type CST,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  Parser,
  visit,
  type Document,
  type Node,
} from 'yaml';
import type { SourceLocation, Problem } from '../../model/failure.js';
import { problems, type Path, type Spot } from '../errors.js';
import { refusal } from './limits.js';

/** A parsed YAML file with the location of its values. */
export interface Source {
  readonly file: string;
  readonly value: unknown;
  /** Location and path of a value, or of its nearest existing parent. */
  at(path: Path, what?: 'key' | 'value'): Spot;
  /** A scalar as typed: 3.10 for the value 3.1. */
  typed(path: Path): string;
}

/** Parses a text into values with locations. Returns all syntax problems if it is no YAML. */
export function readYaml(text: string, file: string): Source | readonly Problem[] {
  const refused = refusal(text, file);
  if (refused) return [refused];
  const lines = new LineCounter();
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const broken = brokenAt(tokens);
  if (broken !== null) return [problems.yaml({ place: { file, line: lineAt(text, broken) } }, 'brackets do not match')];
  const document = parsed(tokens, text);
  const place = (offset: number): SourceLocation => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  if (document.errors.length > 0) {
    return withoutEchoes(document.errors)
      .slice(0, 20)
      .map((error) => problems.yaml({ place: place(error.pos[0]) }, firstLine(error.message)));
  }
  return values(document, text, file, place);
}

/** Limit of syntax errors. The parser makes an error with a stack for each misplaced token, which takes seconds. */
const MOST_ERRORS = 1_000;

/** Returns the position of the first misplaced token if there are too many. Null otherwise. */
function brokenAt(tokens: readonly CST.Token[]): number | null {
  const errors = tokens.filter(({ type }) => type === 'error');
  return errors.length > MOST_ERRORS ? errors[0]!.offset : null;
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

/** The library compares all keys of a map pairwise. It does so only after `hasTwins`, for its message. */
function parsed(tokens: readonly CST.Token[], text: string): Document {
  const options = { version: '1.2', prettyErrors: false, strict: true } as const;
  const [document, second] = new Composer({ ...options, uniqueKeys: false }).compose(tokens, true, text.length);
  const isSound = document !== undefined && second === undefined && !hasTwins(document.contents);
  return isSound ? document : parseDocument(text, { ...options, uniqueKeys: true });
}

/** Whether any map has the same key twice. */
function hasTwins(node: unknown): boolean {
  if (isSeq(node)) return node.items.some(hasTwins);
  if (!isMap(node)) return false;
  const keys = new Set(node.items.map(({ key }) => (isScalar(key) ? key.value : key)));
  return keys.size < node.items.length || node.items.some(({ key, value }) => hasTwins(key) || hasTwins(value));
}

function values(
  document: Document,
  text: string,
  file: string,
  place: (offset: number) => SourceLocation,
): Source | readonly Problem[] {
  const hidden = protoKey(document, text);
  if (hidden !== null) return [problems.wrongValue({ place: place(hidden) }, '"__proto__" is not a name')];
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    const alias = firstAlias(document);
    const why = error instanceof Error ? firstLine(error.message) : String(error);
    const spot = { place: alias === null ? { file } : place(alias) };
    return [/alias count/i.test(why) ? problems.aliasBomb(spot) : problems.yaml(spot, why)];
  }
  const at: Source['at'] = (path, what = 'value') => spotOf(document, path, what, file, place);
  const typed = (path: Path): string => {
    const node: unknown = document.getIn(path, true);
    return isScalar(node) ? (node.source ?? String(node.value)) : '';
  };
  return { file, value, at, typed };
}

/** Keeps only the first error of a lost bracket or quote. All later ones follow from it. */
function withoutEchoes(errors: Document['errors']): Document['errors'] {
  const first = errors.findIndex(({ code }) => code === 'UNEXPECTED_TOKEN');
  return errors.filter(({ code }, index) => index <= first || code !== 'UNEXPECTED_TOKEN');
}

const firstLine = (text: string): string => text.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '');

/** Finds the key `__proto__`, literal or escaped, which parsers of plain objects drop silently. */
const protoKey = (document: Document, text: string): number | null =>
  /__proto__|\\/.test(text)
    ? firstOf(document, (node) =>
        isPair(node) && isScalar(node.key) && node.key.value === '__proto__' ? node.key : null,
      )
    : null;

const firstAlias = (document: Document): number | null => firstOf(document, (node) => (isAlias(node) ? node : null));

/** Returns the offset of the first node that `pick` finds. Null without one. */
function firstOf(document: Document, pick: (node: unknown) => Node | null): number | null {
  let found: number | null = null;
  visit(document, (_, node) => {
    const picked = pick(node);
    if (picked === null) return undefined;
    found = picked.range?.[0] ?? 0;
    return visit.BREAK;
  });
  return found;
}

function spotOf(
  document: Document,
  path: Path,
  what: 'key' | 'value',
  file: string,
  place: (offset: number) => SourceLocation,
): Spot {
  let node: Node | null = document.contents as Node | null;
  let offset = node?.range?.[0] ?? null;
  for (const [index, key] of path.entries()) {
    if (!isCollection(node)) break;
    const last = index === path.length - 1;
    const pair: unknown = isMap(node)
      ? node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key))
      : node.items[Number(key)];
    if (pair === undefined) break;
    const keyNode = isPair(pair) ? (pair.key as Node) : null;
    const valueNode = (isPair(pair) ? pair.value : pair) as Node | null;
    offset = (last && what === 'key' ? keyNode : valueNode)?.range?.[0] ?? keyNode?.range?.[0] ?? offset;
    node = valueNode;
  }
  return { place: offset === null ? { file } : place(offset), path: pathText(path) };
}

/** `wheels.skiff.needs[0]`. */
export const pathText = (path: Path): string =>
  path.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('');
