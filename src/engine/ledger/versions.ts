/** Versions as PEP 440 writes them, with the spellings of Semantic Versioning and Maven that mean the same:
 * `4.3.2`, `v1.0`, `1.0rc1`, `1.0-rc.1`, `1.0-SNAPSHOT`, `1.0.post1`, `1.0+cpu`.
 * Source: packaging.python.org/specifications/version-specifiers, appendix "Parsing version strings with regular expressions". */
const PATTERN =
  /^v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(a|b|c|rc|alpha|beta|pre|preview|m|milestone|cr)[-_.]?(\d+)?)?(?:-(\d+)|[-_.]?(post|rev|r)[-_.]?(\d+)?)?(?:[-_.]?(dev|snapshot)[-_.]?(\d+)?)?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?$/i;

export interface Version {
  readonly text: string;
  readonly epoch: number;
  readonly numbers: readonly number[];
  /** Rank of a pre-release's letter and its number; null for none. */
  readonly pre: readonly [number, number] | null;
  readonly post: number | null;
  readonly dev: number | null;
  readonly local: string | null;
}

const PRE_RANKS: Readonly<Record<string, number>> = {
  a: 0,
  alpha: 0,
  b: 1,
  beta: 1,
  m: 1,
  milestone: 1,
  c: 2,
  rc: 2,
  cr: 2,
  pre: 2,
  preview: 2,
};

/** Null where the text is no version: a tag such as `latest`, `sha256-…`, `4.3.2-py311`. */
export function parseVersion(text: string): Version | null {
  const found = PATTERN.exec(text);
  if (!found) return null;
  const [, epoch, numbers, letter, pre, dash, postWord, post, devWord, dev, local] = found;
  return {
    text,
    epoch: Number(epoch ?? 0),
    numbers: trim(numbers!.split('.').map(Number)),
    pre: letter ? [PRE_RANKS[letter.toLowerCase()]!, Number(pre ?? 0)] : null,
    post: dash !== undefined ? Number(dash) : postWord ? Number(post ?? 0) : null,
    dev: devWord ? Number(dev ?? 0) : null,
    local: local?.toLowerCase() ?? null,
  };
}

/** `1.0` and `1` are one version. */
function trim(numbers: readonly number[]): readonly number[] {
  const last = numbers.findLastIndex((number) => number !== 0);
  return numbers.slice(0, last + 1);
}

export const isStable = (version: Version): boolean => version.pre === null && version.dev === null;

/** Below, equal, above: -1, 0, 1. Order: dev < pre-release < final < post, as PEP 440 says. */
export function compareVersions(a: Version, b: Version): number {
  return (
    sign(a.epoch - b.epoch) ||
    compareNumbers(a.numbers, b.numbers) ||
    compareNumbers(suffix(a), suffix(b)) ||
    compareLocal(a.local, b.local)
  );
}

/** The parts after the numbers as numbers of their own, so that comparing them in order is the rule. */
function suffix(version: Version): readonly number[] {
  const bare = version.pre === null && version.post === null && version.dev !== null;
  const pre = version.pre ? [version.pre[0], version.pre[1]] : [bare ? -1 : 9, 0];
  return [...pre, version.post ?? -1, version.dev ?? Number.MAX_SAFE_INTEGER];
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const difference = sign((a[index] ?? 0) - (b[index] ?? 0));
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A local label is above none; its parts compare as numbers where both are numbers, a number is above a word. */
function compareLocal(a: string | null, b: string | null): number {
  if (a === null || b === null) return sign(Number(a !== null) - Number(b !== null));
  const [left, right] = [a.split(/[-_.]/), b.split(/[-_.]/)];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = compareLocalPart(left[index], right[index]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function compareLocalPart(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return sign(Number(a !== undefined) - Number(b !== undefined));
  const [left, right] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (left && right) return sign(Number(a) - Number(b));
  if (left !== right) return left ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}

const sign = (difference: number): number => (difference < 0 ? -1 : difference > 0 ? 1 : 0);
