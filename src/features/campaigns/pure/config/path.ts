/** A place in a document: keys of maps and indexes of lists. */
export type Path = readonly (string | number)[];

export interface BadPath {
  readonly why: string;
  /** Counts from 1. */
  readonly column: number;
}

const MOST_CHARACTERS = 500;
const BARE = /[A-Za-z0-9_][A-Za-z0-9_-]*/y;
const QUOTED = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/y;
const INDEX = /-?\d{1,6}/y;
/** Signs of a jsonpath that choose many values, or none. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  '*': 'a wildcard',
  '?': 'a filter',
  ':': 'a slice',
  '|': 'a union',
  ',': 'a union',
  $: 'a root sign',
};

/** Reads `a.b-c`, `a."x.y"`, `a["x.y"]`, `a[0]` and `a[-1]`. */
export function readPath(text: string): Path | BadPath {
  const bad = (why: string, at: number): BadPath => ({ why, column: at + 1 });
  if (text.length > MOST_CHARACTERS) return bad(`it has more than ${MOST_CHARACTERS} characters`, MOST_CHARACTERS);
  const path: (string | number)[] = [];
  const match = (form: RegExp, at: number): RegExpExecArray | null => {
    form.lastIndex = at;
    return form.exec(text);
  };
  const strange = (at: number): BadPath => {
    const sign = text[at];
    if (sign === undefined) return bad('it ends before a key', at);
    if (sign === '"' || sign === "'") return bad('the quote is not closed', at);
    const what = FORBIDDEN[sign] ?? (text.startsWith('..', at - 1) ? 'a search in all maps' : null);
    return bad(what === null ? `${JSON.stringify(sign)} is no part of a key; quote the key` : `it has ${what}`, at);
  };
  let at = 0;
  do {
    const isBracket = text[at] === '[';
    if (isBracket || (path.length > 0 && text[at] === '.')) at += 1;
    const index = isBracket ? match(INDEX, at) : null;
    const quoted = match(QUOTED, at);
    const found = index ?? quoted ?? (isBracket ? null : match(BARE, at));
    if (found === null) return strange(at);
    const key = quoted && (quoted[1] ?? quoted[2]!).replace(/\\(.)/g, '$1');
    path.push(index ? Number(index[0]) : (key ?? found[0]));
    at += found[0].length;
    if (isBracket && text[at] !== ']')
      return text[at] === undefined ? bad('the bracket is not closed', at) : strange(at);
    if (isBracket) at += 1;
    if (at < text.length && text[at] !== '.' && text[at] !== '[') return strange(at);
  } while (at < text.length);
  return path;
}

export const isPath = (read: Path | BadPath): read is Path => Array.isArray(read);

/** The path as a person types it: `tests.args["x.y"][0]`. */
export const pathText = (path: Path): string =>
  path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`;
      if (!/^[A-Za-z0-9_][A-Za-z0-9_-]*$/.test(key))
        return index === 0 ? JSON.stringify(key) : `[${JSON.stringify(key)}]`;
      return index === 0 ? key : `.${key}`;
    })
    .join('');

export const startsWith = (path: Path, top: Path): boolean =>
  top.length <= path.length && top.every((key, index) => path[index] === key);

/** First key of a path. Null for a text that is no path. */
export function firstKey(text: string): string | number | null {
  const path = readPath(text);
  return isPath(path) ? path[0]! : null;
}
