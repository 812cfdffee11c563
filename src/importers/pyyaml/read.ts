import type { Complain } from '../file-problem.js';
import { Composer, isAlias, isMap, isScalar, LineCounter, type ParsedNode, type Document } from 'yaml';
import type { Problem, SourceLocation } from '../../model/failure.js';
import { tokensOf } from '../yaml-limits.js';
import { problems } from './errors.js';
import { plainScalar, textScalar } from './scalar.js';
import type { Dict, Entry, List, Scalar, Tree } from './tree.js';

/** A YAML file as PyYAML reads it. */
export interface Doc {
  readonly file: string;
  readonly tree: Tree;
  place(at: number): SourceLocation;
}

/** Upstream's largest file has 135,000. The YAML library takes quadratic time on broken flow maps: two seconds for this much. */
const MOST_CHARACTERS = 524_288;
/** Values with every alias written out. */
const MOST_VALUES = 200_000;
const MOST_PROBLEMS = 20;

/** Reads a file. What is wrong with it is complained of; then the file is null. */
export function readDoc(text: string, file: string, complain: (problem: Problem) => void): Doc | null {
  const lines = new LineCounter();
  const place = (at: number): SourceLocation => {
    const { line, col } = lines.linePos(Math.max(0, at));
    return { file, line, column: col };
  };
  const tokens = tokensOf(text, MOST_CHARACTERS, lines.addNewLine);
  if ('why' in tokens) {
    complain(problems.notYaml({ file, ...(tokens.line && { line: tokens.line }) }, tokens.why));
    return null;
  }
  // Only strings: this room resolves plain scalars itself, as PyYAML does.
  const options = { version: '1.1', schema: 'failsafe', prettyErrors: false, uniqueKeys: false } as const;
  const [document, second] = new Composer(options).compose(tokens, true, text.length);
  const errors = [...(document?.errors ?? [])];
  for (const { pos, message } of errors.slice(0, MOST_PROBLEMS))
    complain(problems.notYaml(place(pos[0]), message.split('\n')[0]!.replace(/ at line \d+.*$/, '')));
  if (second !== undefined) complain(problems.notYaml(place(second.range[0]), 'a second document begins'));
  if (document === undefined || errors.length > 0 || second !== undefined) return null;
  const found: Problem[] = [];
  const tree = treesOf(document as Document.Parsed, place, (problem) => found.push(problem));
  found.slice(0, MOST_PROBLEMS).forEach(complain);
  return found.length > 0 ? null : { file, tree, place };
}

type Place = Doc['place'];

function treesOf(document: Document.Parsed, place: Place, complain: Complain): Tree {
  const anchors = new Map<string, { readonly tree: Tree; readonly values: number }>();
  let values = 0;
  let isTold = false;

  const counted = (count: number, at: number): void => {
    values += count;
    if (values > MOST_VALUES && !isTold) complain(problems.notYaml(place(at), 'aliases (*name) multiply the file'));
    isTold ||= values > MOST_VALUES;
  };

  const treeAt = (node: ParsedNode | null, near: number): Tree => {
    const at = node?.range[0] ?? near;
    if (isTold) return nothing(at);
    if (node === null || (isScalar(node) && node.source === '' && node.type === 'PLAIN')) return nothing(at);
    if (isAlias(node)) return aliased(node.source, at);
    const before = values;
    counted(1, at);
    if (node.tag !== undefined && !KNOWN_TAGS.has(node.tag)) complain(problems.tagged(place(at), node.tag));
    const tree = isScalar(node) ? scalar(node, at) : isMap(node) ? dict(node.items, at) : list(node.items, at);
    if (node.anchor !== undefined) anchors.set(node.anchor, { tree, values: values - before });
    return tree;
  };

  const aliased = (name: string, at: number): Tree => {
    const found = anchors.get(name);
    if (found === undefined) complain(problems.notYaml(place(at), `nothing before it has the anchor &${name}`));
    counted(found?.values ?? 1, at);
    return found?.tree ?? nothing(at);
  };

  const list = (items: readonly unknown[], at: number): List => ({
    kind: 'list',
    at,
    items: items.map((item) => treeAt(item as ParsedNode, at)),
  });

  const dict = (pairs: readonly { readonly key: unknown; readonly value: unknown }[], at: number): Dict => {
    const own = new Map<string, Entry>();
    const taken: Tree[] = [];
    for (const pair of pairs) {
      const key = pair.key as ParsedNode | null;
      const keyAt = key?.range[0] ?? at;
      const value = treeAt(pair.value as ParsedNode | null, keyAt);
      const name = keyOf(key, place(keyAt), complain);
      if (name === MERGE) taken.push(value);
      else if (name !== null) {
        const first = own.get(name);
        if (first) complain(problems.keyTwice(place(keyAt), name, place(first.at)));
        own.set(name, { value, at: keyAt });
      }
    }
    return { kind: 'dict', at, keys: withMerged(own, taken, place, complain) };
  };

  return treeAt(document.contents, 0);
}

const KNOWN_TAGS: ReadonlySet<string> = new Set(['str', 'map', 'seq'].map((name) => `tag:yaml.org,2002:${name}`));
const nothing = (at: number): Scalar => ({ kind: 'scalar', at, ...plainScalar('') });

const scalar = (node: { type?: string | undefined; value: unknown; tag?: string }, at: number): Scalar => ({
  kind: 'scalar',
  at,
  ...(node.type === 'PLAIN' && node.tag === undefined ? plainScalar : textScalar)(String(node.value)),
});

const MERGE = Symbol('<<');

/** Returns the text of a key, or MERGE. Null: PyYAML reads it as something else than a text. */
function keyOf(key: ParsedNode | null, place: SourceLocation, complain: Complain): string | typeof MERGE | null {
  if (key !== null && isScalar(key)) {
    const text = String(key.value);
    if (key.type !== 'PLAIN') return text;
    if (text === '<<') return MERGE;
    const read = plainScalar(text);
    if (read.type === 'text') return text;
    complain(problems.keyNoText(place, text, read));
  } else complain(problems.keyNoText(place, null, null));
  return null;
}

/** Keys of `<<` come behind the map's own ones, and of several maps the first counts. */
function withMerged(
  own: ReadonlyMap<string, Entry>,
  taken: readonly Tree[],
  place: Place,
  complain: Complain,
): ReadonlyMap<string, Entry> {
  if (taken.length === 0) return own;
  const all = new Map<string, Entry>();
  for (const tree of taken.flatMap((one) => (one.kind === 'list' ? one.items : [one]))) {
    if (tree.kind !== 'dict') complain(problems.mergeOf(place(tree.at), tree));
    else for (const [key, entry] of tree.keys) if (!all.has(key)) all.set(key, entry);
  }
  for (const [key, entry] of own) all.set(key, entry);
  return all;
}
