import { normalName } from '../../model/python/file-name.js';
import { isAdmitted, parseSpecifier } from '../../model/python/specifier.js';
import { parseVersion } from '../../model/python/version.js';

/** A condition of a requirement (packaging.python.org/specifications/dependency-specifiers): `python_version < '3.9'`. */
export type Marker =
  | { readonly any: readonly Marker[] }
  | { readonly all: readonly Marker[] }
  | { readonly variable: string; readonly op: string; readonly text: string; readonly isLeft: boolean };

/** Values of the variables for one target. */
export type MarkerEnvironment = Readonly<Record<string, string>>;

const VARIABLES = new Set([
  ...['python_version', 'python_full_version', 'os_name', 'sys_platform', 'platform_release', 'platform_system'],
  ...['platform_version', 'platform_machine', 'platform_python_implementation'],
  ...['implementation_name', 'implementation_version', 'extra'],
]);
/** Variables that compare as versions where both sides are versions. */
const VERSIONS = new Set(['python_version', 'python_full_version', 'implementation_version', 'platform_release']);

/** Former spellings: `os.name`, `python_implementation`. */
const spelled = (word: string): string => {
  const name = word.replace('.', '_');
  return name === 'python_implementation' ? 'platform_python_implementation' : name;
};

const TOKEN = /[ \t]*(?:([()])|('[^']*'|"[^"]*")|(===|==|~=|!=|<=|>=|<|>)|([A-Za-z_.]+))/y;
const MOST_CHARACTERS = 4_000;
const DEEPEST = 50;

interface Token {
  readonly kind: 'bracket' | 'text' | 'op' | 'word';
  readonly text: string;
}

/** Returns the marker. Returns a text that says what is wrong if it is none. */
export function parseMarker(text: string): Marker | string {
  if (text.length > MOST_CHARACTERS) return `it has ${text.length} characters, and ${MOST_CHARACTERS} are allowed`;
  const tokens = tokensOf(text.trim());
  if (typeof tokens === 'string') return tokens;
  const rest = [...tokens].reverse();
  try {
    const marker = anyOf(rest, 0);
    return rest.length === 0 ? marker : `${quoted(rest.at(-1))} follows a whole marker`;
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
}

function tokensOf(text: string): readonly Token[] | string {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  let at = 0;
  while (at < text.length) {
    const found = TOKEN.exec(text);
    if (found === null) return `${JSON.stringify(text.slice(at, at + 20).trim())} is no part of a marker`;
    const [, bracket, string, op, word] = found;
    if (bracket !== undefined) tokens.push({ kind: 'bracket', text: bracket });
    else if (string !== undefined) tokens.push({ kind: 'text', text: string.slice(1, -1) });
    else if (op !== undefined) tokens.push({ kind: 'op', text: op });
    else tokens.push({ kind: 'word', text: word! });
    at = TOKEN.lastIndex;
  }
  return tokens;
}

const quoted = (token: Token | undefined): string => (token === undefined ? 'the end' : JSON.stringify(token.text));
const stop = (why: string): never => {
  throw new SyntaxError(why);
};
const isNext = (rest: readonly Token[], text: string): boolean => {
  const next = rest.at(-1);
  return next !== undefined && next.kind !== 'text' && next.text === text;
};

function anyOf(rest: Token[], depth: number): Marker {
  const any = [allOf(rest, depth)];
  while (isNext(rest, 'or')) {
    rest.pop();
    any.push(allOf(rest, depth));
  }
  return any.length === 1 ? any[0]! : { any };
}

function allOf(rest: Token[], depth: number): Marker {
  const all = [one(rest, depth)];
  while (isNext(rest, 'and')) {
    rest.pop();
    all.push(one(rest, depth));
  }
  return all.length === 1 ? all[0]! : { all };
}

function one(rest: Token[], depth: number): Marker {
  if (!isNext(rest, '(')) return comparison(rest);
  if (depth >= DEEPEST) stop(`it has more than ${DEEPEST} brackets inside each other`);
  rest.pop();
  const inner = anyOf(rest, depth + 1);
  if (!isNext(rest, ')')) stop(`${quoted(rest.at(-1))} is in place of ")"`);
  rest.pop();
  return inner;
}

function comparison(rest: Token[]): Marker {
  const left = side(rest);
  const op = operator(rest);
  const right = side(rest);
  if (left.kind === right.kind) stop('a marker compares a variable with a quoted text');
  const [variable, text] = left.kind === 'word' ? [spelled(left.text), right.text] : [spelled(right.text), left.text];
  const isLeft = left.kind === 'word';
  const isVersion = VERSIONS.has(variable) && (!isLeft || parseSpecifier(`${op}${text}`) !== null);
  if ((op === '~=' || op === '===') && !isVersion) stop(`${op} compares versions alone`);
  return { variable, op, text, isLeft };
}

function side(rest: Token[]): Token {
  const token = rest.pop();
  if (token?.kind === 'text') return token;
  if (token?.kind !== 'word') return stop(`${quoted(token)} is in place of a variable or a quoted text`);
  return VARIABLES.has(spelled(token.text)) ? token : stop(`${quoted(token)} is no variable of markers`);
}

function operator(rest: Token[]): string {
  const token = rest.pop();
  if (token?.kind === 'op') return token.text;
  if (token?.kind === 'word' && token.text === 'in') return 'in';
  if (token?.kind === 'word' && token.text === 'not' && rest.pop()?.text === 'in') return 'not in';
  return stop(`${quoted(token)} is in place of an operator: ==, !=, <, in …`);
}

export function isTrue(marker: Marker, environment: MarkerEnvironment): boolean {
  if ('any' in marker) return marker.any.some((inner) => isTrue(inner, environment));
  if ('all' in marker) return marker.all.every((inner) => isTrue(inner, environment));
  const { variable, op, text, isLeft } = marker;
  const value = environment[variable] ?? '';
  const [left, right] = isLeft ? [value, text] : [text, value];
  const specifier = VERSIONS.has(variable) ? parseSpecifier(`${op}${right}`) : null;
  if (specifier !== null) {
    const version = parseVersion(left);
    return version !== null && isAdmitted(version, [specifier]);
  }
  return variable === 'extra' ? compares(normalName(left), op, normalName(right)) : compares(left, op, right);
}

/** Texts have no order: `<` and `>` are never true (PEP 508). */
function compares(left: string, op: string, right: string): boolean {
  if (op === 'in' || op === 'not in') return right.includes(left) === (op === 'in');
  if (op === '!=') return left !== right;
  return op !== '<' && op !== '>' && left === right;
}
