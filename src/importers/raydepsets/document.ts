import { isCollection, isMap, isPair, isScalar, LineCounter, parseDocument, Parser, type Document } from 'yaml';
import type { SourceLocation, Problem } from '../../model/failure.js';
import { lineTooDeep } from '../../model/yaml-depth.js';
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
  if (text.length > MOST_CHARACTERS) return problems.notYaml({ file }, `the file has ${text.length} characters`);
  const deep = lineTooDeep(text);
  if (deep !== null) return problems.notYaml({ file, line: deep }, 'brackets or indents are nested more than 40 deep');
  const lineCounter = new LineCounter();
  const place = (offset: number): SourceLocation => {
    const { line, col } = lineCounter.linePos(offset);
    return { file, line, column: col };
  };
  if (isBroken(text)) return problems.notYaml({ file }, 'brackets do not match');
  try {
    const document = parseDocument(text, {
      version: '1.1',
      merge: true,
      prettyErrors: false,
      uniqueKeys: false,
      lineCounter,
    });
    const [error] = document.errors;
    if (error) return problems.notYaml(place(error.pos[0]), error.message.split('\n')[0]!);
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return { file, value, at: (path) => place(offsetOf(document, path)) };
  } catch (error) {
    return problems.notYaml({ file }, error instanceof Error ? error.message.split('\n')[0]! : String(error));
  }
}

/** A parser makes an error with its stack of each token that has no place; a file of nothing else takes seconds. */
const MOST_ERRORS = 1_000;

/** Whether a text has more such tokens than a person can make. */
function isBroken(text: string): boolean {
  let count = 0;
  for (const token of new Parser().parse(text)) if (token.type === 'error' && (count += 1) > MOST_ERRORS) return true;
  return false;
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
