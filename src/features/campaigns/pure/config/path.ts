/** A place in a document: keys of maps and indexes of lists. */
export type Path = readonly (string | number)[];

export interface BadPath {
  readonly why: string;
  /** Counts from 1. */
  readonly column: number;
}

const MOST_CHARACTERS = 500;
/** `a`, `.b-c`, `."x.y"`, `["x.y"]` or `[-1]`. Each part may be absent, so that a mistake has its column. */
const STEP =
  /(\.|\[)?(?:(?<=\[)(-?\d{1,6})|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(?<!\[)([A-Za-z0-9_][A-Za-z0-9_-]*))?(\])?/y;
/** Escapes of JSON, which the text of a path has. Another character behind a backslash is itself. */
const ESCAPED = /\\(?:u([0-9a-fA-F]{4})|(.))/g;
const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const unescaped = (_: string, code: string | undefined, sign: string): string =>
  code === undefined ? (CONTROLS[sign] ?? sign) : String.fromCharCode(parseInt(code, 16));
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
  if (text.length > MOST_CHARACTERS)
    return { why: `it has more than ${MOST_CHARACTERS} characters`, column: MOST_CHARACTERS + 1 };
  const path: (string | number)[] = [];
  let at = 0;
  do {
    STEP.lastIndex = at;
    const [step, open = '', index, double, single, bare, close = ''] = STEP.exec(text)!;
    const key = index === undefined ? ((double ?? single)?.replace(ESCAPED, unescaped) ?? bare) : Number(index);
    if (at === 0 ? open === '.' : open === '') return strange(text, at);
    if (key === undefined) return strange(text, at + open.length);
    const isClosed = (open === '[') === (close === ']');
    at += step.length;
    if (!isClosed && at === text.length && open === '[') return { why: 'the bracket is not closed', column: at + 1 };
    if (!isClosed) return strange(text, at - close.length);
    path.push(key);
  } while (at < text.length);
  return path;
}

function strange(text: string, at: number): BadPath {
  const sign = text[at];
  const what = FORBIDDEN[sign ?? ''] ?? (text.startsWith('..', at - 1) ? 'a search in all maps' : null);
  const bad = (why: string): BadPath => ({ why, column: at + 1 });
  if (sign === undefined) return bad('it ends before a key');
  if (sign === '"' || sign === "'") return bad('the quote is not closed');
  return bad(what === null ? `${JSON.stringify(sign)} is no part of a key; quote the key` : `it has ${what}`);
}

export const isPath = (read: Path | BadPath): read is Path => Array.isArray(read);

/** The path as a person types it: `tests.args["x.y"][0]`. */
export const pathText = (path: Path): string =>
  path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`;
      const isPlain = /^[A-Za-z0-9_][A-Za-z0-9_-]*$/.test(key);
      if (index === 0) return isPlain ? key : JSON.stringify(key);
      return isPlain ? `.${key}` : `[${JSON.stringify(key)}]`;
    })
    .join('');

/** References inside a text: `{@a.b}`. */
export const INNER = /\{@([^{}]*)\}/g;

/** Paths that a text refers to: `@a.b` or `http://{@host}`. */
export const referencesIn = (text: string): readonly string[] =>
  text.startsWith('@') ? [text.slice(1)] : [...text.matchAll(INNER)].map(([, path]) => path!);

export const startsWith = (path: Path, top: Path): boolean =>
  top.length <= path.length && top.every((key, index) => path[index] === key);
