import { order } from '../order.js';

/** A PEP 440 version in normal form. Numbers are digits without leading zeros, because PEP 440 sets no upper bound. */
export interface Version {
  /** The original text. */
  readonly text: string;
  readonly epoch: string;
  /** At least one number; `1.0` keeps its zero. */
  readonly release: readonly string[];
  readonly pre: { readonly letter: PreLetter; readonly number: string } | null;
  readonly post: string | null;
  readonly dev: string | null;
  /** Lower case, numbers without leading zeros. */
  readonly local: readonly string[] | null;
}
type PreLetter = 'a' | 'b' | 'rc';

/** Source: packaging.python.org/specifications/version-specifiers, appendix "Parsing version strings with regular expressions". */
const PATTERN =
  /^v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(alpha|a|beta|b|preview|pre|c|rc)[-_.]?(\d+)?)?(?:-(\d+)|[-_.]?(post|rev|r)[-_.]?(\d+)?)?(?:[-_.]?(dev)[-_.]?(\d+)?)?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?$/i;

const PRE_LETTERS: Readonly<Record<string, PreLetter>> = { a: 'a', alpha: 'a', b: 'b', beta: 'b' };

/** Returns the version. Null if PEP 440 does not allow the text: `latest`, `1.0-SNAPSHOT`, `4.3.2-py311`. */
export function parseVersion(text: string): Version | null {
  const found = PATTERN.exec(text.trim());
  if (!found) return null;
  const [, epoch, release, letter, pre, dash, postWord, post, devWord, dev, local] = found;
  return {
    text,
    epoch: digits(epoch),
    release: release!.split('.').map(digits),
    pre: letter === undefined ? null : { letter: PRE_LETTERS[letter.toLowerCase()] ?? 'rc', number: digits(pre) },
    post: dash !== undefined || postWord !== undefined ? digits(dash ?? post) : null,
    dev: devWord === undefined ? null : digits(dev),
    local: local === undefined ? null : local.toLowerCase().split(/[-_.]/).map(localPart),
  };
}

const digits = (text = '0'): string => text.replace(/^0+(?=\d)/, '');
const isNumber = (part: string): boolean => /^\d+$/.test(part);
const localPart = (part: string): string => (isNumber(part) ? digits(part) : part);

export const isStable = (version: Version): boolean => version.pre === null && version.dev === null;

/** The normal form: `v1.0-RC.1` becomes `1.0rc1`, `1.0-1` becomes `1.0.post1`. The zero of `1.0` stays. */
export function normalForm({ epoch, release, pre, post, dev, local }: Version): string {
  return [
    epoch === '0' ? '' : `${epoch}!`,
    release.join('.'),
    pre === null ? '' : pre.letter + pre.number,
    post === null ? '' : `.post${post}`,
    dev === null ? '' : `.dev${dev}`,
    local === null ? '' : `+${local.join('.')}`,
  ].join('');
}

/** Whether both texts are the same version, as `1.0` and `1` are. Texts outside PEP 440 are compared literally. */
export function sameVersion(a: string, b: string): boolean {
  const [left, right] = [parseVersion(a), parseVersion(b)];
  return left !== null && right !== null ? compareVersions(left, right) === 0 : a === b;
}

/** -1, 0 or 1: `a` is below, equal to or above `b`. */
export function compareVersions(a: Version, b: Version): number {
  return (
    compareDigits(a.epoch, b.epoch) ||
    compareRelease(a.release, b.release) ||
    sign(preRank(a) - preRank(b)) ||
    compareDigits(a.pre?.number ?? '0', b.pre?.number ?? '0') ||
    compareOptional(a.post, b.post, -1) ||
    compareOptional(a.dev, b.dev, 1) ||
    compareLocal(a.local, b.local)
  );
}

/** A bare `1.0.dev1` is below `1.0a1`, and `1.0` is above `1.0rc1`. */
const preRank = ({ pre, post, dev }: Version): number =>
  pre !== null ? ['a', 'b', 'rc'].indexOf(pre.letter) : post === null && dev !== null ? -1 : 3;

function compareRelease(a: readonly string[], b: readonly string[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const difference = compareDigits(a[at] ?? '0', b[at] ?? '0');
    if (difference !== 0) return difference;
  }
  return 0;
}

/** @param absent rank of an absent number: -1 below all numbers, 1 above all */
function compareOptional(a: string | null, b: string | null, absent: -1 | 1): number {
  if (a !== null && b !== null) return compareDigits(a, b);
  return sign((a === null ? absent : 0) - (b === null ? absent : 0));
}

/** A version with a local label is above one without. Numeric parts compare as numbers, and a number is above a word. */
function compareLocal(a: readonly string[] | null, b: readonly string[] | null): number {
  if (a === null || b === null) return sign(Number(a !== null) - Number(b !== null));
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const difference = compareLocalPart(a[at]!, b[at]!);
    if (difference !== 0) return difference;
  }
  return sign(a.length - b.length);
}

function compareLocalPart(a: string, b: string): number {
  const [left, right] = [isNumber(a), isNumber(b)];
  if (left && right) return compareDigits(a, b);
  if (left !== right) return left ? 1 : -1;
  return order(a, b);
}

/** Compares digits of any length. Without leading zeros the longer number is larger. */
const compareDigits = (a: string, b: string): number => sign(a.length - b.length) || order(a, b);
const sign = (difference: number): number => Math.sign(difference);
