import { Composer, isCollection, isMap, isPair, isScalar, LineCounter, type Document } from 'yaml';
import type { SourceLocation, Problem } from '../../../../model/failure.js';
import { tokensOf } from '../../../../importers/yaml-limits.js';
import { problems } from './errors.js';

const MOST_CHARACTERS = 262_144;

export interface Read {
  readonly file: string;
  readonly value: unknown;
  /** Place of a value, or of the nearest parent that has one. */
  readonly at: (path: readonly (string | number)[]) => SourceLocation;
}

/** A file as the upstream tool reads it: YAML 1.1 with merge keys. What keeps it from being read is answered as a problem. */
export function readDocument(text: string, file: string): Read | Problem {
  const lineCounter = new LineCounter();
  const place = (offset: number): SourceLocation => {
    const { line, col } = lineCounter.linePos(offset);
    return { file, line, column: col };
  };
  const tokens = tokensOf(text, MOST_CHARACTERS, lineCounter.addNewLine);
  if ('why' in tokens) return problems.notYaml({ file, ...(tokens.line && { line: tokens.line }) }, tokens.why);
  try {
    const options = { version: '1.1', merge: true, prettyErrors: false, uniqueKeys: false } as const;
    const [document, second] = new Composer(options).compose(tokens, true, text.length);
    if (document === undefined) return problems.notYaml({ file }, 'there is no document');
    if (second !== undefined) return problems.notYaml(place(second.range[0]), 'a second document begins');
    const [error] = document.errors;
    if (error) return problems.notYaml(place(error.pos[0]), error.message.split('\n')[0]!);
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return { file, value, at: (path) => place(offsetOf(document, path)) };
  } catch (error) {
    return problems.notYaml({ file }, error instanceof Error ? error.message.split('\n')[0]! : String(error));
  }
}

function offsetOf(document: Document, path: readonly (string | number)[]): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range?.[0] ?? 0;
  for (const key of path) {
    if (!isCollection(node)) break;
    const item: unknown = isMap(node)
      ? node.items.find((one) => isScalar(one.key) && one.key.value === key)
      : node.items[Number(key)];
    if (item === undefined) break;
    const start = isPair(item) ? item.key : item;
    offset = (start as { range?: readonly number[] | null }).range?.[0] ?? offset;
    node = isPair(item) ? item.value : item;
  }
  return offset;
}
