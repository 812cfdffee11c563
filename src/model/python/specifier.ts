import { compareVersions, normalForm, parseVersion, type Version } from './version.js';

/** One clause of a version specifier (PEP 440): `>=1.2`, `==1.*`, `===1.2`. */
export type Specifier =
  | { readonly op: '==='; readonly text: string }
  | { readonly op: '==*' | '!=*'; readonly epoch: string; readonly release: readonly string[] }
  | { readonly op: '==' | '!=' | '~=' | '<' | '<=' | '>' | '>='; readonly version: Version };

/** Parses comma-separated clauses. Null if PEP 440 does not allow one, as in `>=3.5.*`. */
export function parseSpecifiers(text: string): readonly Specifier[] | null {
  const clauses = text
    .split(',')
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '');
  const parsed = clauses.map(parseSpecifier);
  return parsed.every((one) => one !== null) ? parsed : null;
}

export function parseSpecifier(clause: string): Specifier | null {
  const [, op, text = ''] = /^(===|==|!=|~=|<=|>=|<|>)\s*(\S*)$/.exec(clause) ?? [];
  if (op === undefined) return null;
  if (op === '===') return { op, text: text.toLowerCase() };
  const isPrefix = text.endsWith('.*');
  const version = parseVersion(isPrefix ? text.slice(0, -2) : text);
  if (version === null) return null;
  if (isPrefix)
    return (op === '==' || op === '!=') && isPlain(version)
      ? { op: `${op}*`, epoch: version.epoch, release: version.release }
      : null;
  if (version.local !== null && op !== '==' && op !== '!=') return null;
  if (op === '~=' && version.release.length < 2) return null;
  return { op: op as '==', version };
}

const isPlain = ({ pre, post, dev, local }: Version): boolean =>
  pre === null && post === null && dev === null && local === null;

/** Whether a version matches all clauses. Pre-releases match like others: the caller decides about them. */
export const isAdmitted = (version: Version, specifiers: readonly Specifier[]): boolean =>
  specifiers.every((one) => matches(version, one));

function matches(version: Version, one: Specifier): boolean {
  const found = { ...version, local: null };
  switch (one.op) {
    case '===':
      return normalForm(version) === one.text;
    case '==*':
    case '!=*':
      return hasPrefix(version, one) === (one.op === '==*');
    case '==':
    case '!=':
      return (compareVersions(one.version.local === null ? found : version, one.version) === 0) === (one.op === '==');
    case '~=':
      return (
        compareVersions(found, one.version) >= 0 &&
        hasPrefix(version, { ...one.version, release: one.version.release.slice(0, -1) })
      );
    case '<=':
      return compareVersions(found, one.version) <= 0;
    case '>=':
      return compareVersions(found, one.version) >= 0;
    case '<':
      return compareVersions(version, one.version) < 0 && !isPreOf(version, one.version);
    case '>':
      return compareVersions(found, one.version) > 0 && !isPostOf(version, one.version);
    default:
      return one satisfies never;
  }
}

/** Whether a version is a pre-release of the other one, which `<` leaves out. */
const isPreOf = (version: Version, other: Version): boolean =>
  (version.pre !== null || version.dev !== null) &&
  other.pre === null &&
  other.dev === null &&
  (other.post === null ? isSame({ ...version, pre: null, post: null }, other) : isSame(version, other));

/** Whether a version is a post-release of the other one, which `>` leaves out. */
const isPostOf = (version: Version, other: Version): boolean =>
  version.post !== null && other.post === null && other.dev === null && isSame({ ...version, post: null }, other);

/** Whether two versions are the same without `dev` and local label. */
const isSame = (a: Version, b: Version): boolean =>
  compareVersions({ ...a, dev: null, local: null }, { ...b, dev: null, local: null }) === 0;

const hasPrefix = (version: Version, prefix: Pick<Version, 'epoch' | 'release'>): boolean =>
  version.epoch === prefix.epoch && prefix.release.every((part, at) => (version.release[at] ?? '0') === part);
