import type { Complain } from '../../../importers/file-problem.js';
import type { SourceLocation } from '../../../model/failure.js';
import { LockFile, type Node } from '../schemas/lock.js';
import { problems } from './errors.js';
import { isUnderstood, parseSpec } from './spec/parse.js';
import { printSpec } from './spec/print.js';

/** A spec of a lock. */
export interface LockedSpec {
  /** DAG hash. */
  readonly hash: string;
  readonly name: string;
  readonly version: string;
  readonly namespace: string;
  /** Hash of the recipe when the lock was written. Null: the lock has none. */
  readonly packageHash: string | null;
  /** Prefix on the machine. Null: Spack builds it. */
  readonly external: string | null;
  /** Hashes of all that it needs directly. */
  readonly dependencies: readonly string[];
  /** Hashes of those that it links or runs with. */
  readonly links: readonly string[];
  readonly place: SourceLocation;
  /** List of `bootstrap` whose lock has it. Null: it is of the environment itself. */
  readonly phase: string | null;
  /** As the lock has it. */
  readonly node: Node;
}

export interface Lock {
  /** The Spack that wrote it. A release has no commit. */
  readonly writer: LockFile['spack'];
  readonly format: number;
  /** Texts of the roots, as Spack wrote them. Since format 7 with the group of each. */
  readonly roots: readonly { readonly hash: string; readonly spec: string; readonly group?: string }[];
  /** By hash. Each spec comes after all that it needs. */
  readonly specs: ReadonlyMap<string, LockedSpec>;
}

/** Formats of Spack 0.18 to 1.2. */
const OLDEST = 4;
const NEWEST = 7;
/** Since this format compilers are specs. */
export const COMPILERS_ARE_SPECS = 6;
const MOST_SPECS = 20_000;
/** Bytes. A spec has one or two thousand. */
export const LONGEST_LOCK = 48 * 1_048_576;

/** Reads a lock. What is wrong with it is complained of; then the lock is null. */
export function readLock(text: string, file: string, complain: Complain): Lock | null {
  const read = parsed(text, file, complain);
  if (read === null) return null;
  const placeOf = placesIn(text, file);
  const all = Object.entries(read.concrete_specs).map(([hash, node]) => lockedSpec(hash, node, placeOf(hash)));
  const specs = new Map(all.map((spec) => [spec.hash, spec]));
  const edges = [
    ...read.roots.map(({ hash, spec }) => ({ from: `the root ${spec}`, hash })),
    ...all.flatMap(({ name: from, dependencies }) => dependencies.map((hash) => ({ from, hash }))),
  ];
  const lost = edges.filter(({ hash }) => !specs.has(hash));
  for (const { from, hash } of lost.slice(0, MOST_TOLD)) complain(problems.lockEdge({ file }, from, hash));
  if (lost.length > 0) return null;
  const sorted = inOrder(specs);
  const cycle = all.filter(({ hash }) => !sorted.has(hash)).map(({ name }) => name);
  if (cycle.length > 0) complain(problems.lockCycle({ file }, cycle));
  if (cycle.length > 0) return null;
  const { spack: writer, roots, _meta } = read;
  return { writer, format: _meta['lockfile-version'], roots, specs: sorted };
}

const MOST_TOLD = 20;

function parsed(text: string, file: string, complain: Complain): LockFile | null {
  let json: Partial<LockFile> | null;
  try {
    json = JSON.parse(text) as Partial<LockFile> | null;
  } catch (error) {
    complain(problems.lockInvalid({ file }, (error as SyntaxError).message));
    return null;
  }
  const said: unknown = json?._meta?.['lockfile-version'];
  const format = typeof said === 'number' ? said : NEWEST;
  const specs = Object.keys(json?.concrete_specs ?? {}).length;
  if (format > NEWEST) complain(problems.lockTooNew({ file }, format, NEWEST));
  else if (format < OLDEST) complain(problems.lockTooOld({ file }, format, OLDEST));
  else if (specs > MOST_SPECS) complain(problems.lockTooLarge({ file }, specs, MOST_SPECS));
  if (format > NEWEST || format < OLDEST || specs > MOST_SPECS) return null;
  const { data, error } = LockFile.safeParse(json);
  for (const { path, message } of error?.issues.slice(0, MOST_TOLD) ?? [])
    complain(problems.lockInvalid({ file }, `${path.join('.') || 'the file'}: ${message}`));
  return data ?? null;
}

function lockedSpec(hash: string, node: Node, place: SourceLocation): LockedSpec {
  const { name, version, namespace, package_hash: packageHash = null, external, dependencies } = node;
  const isLink = ({ type, parameters }: Node['dependencies'][number]): boolean =>
    (parameters?.deptypes ?? type ?? []).some((one) => one === 'link' || one === 'run');
  return {
    ...{ hash, name, version, namespace, packageHash, place, node, phase: null },
    external: external === undefined ? null : (external.path ?? 'a module'),
    dependencies: dependencies.map((one) => one.hash),
    links: dependencies.filter(isLink).map((one) => one.hash),
  };
}

/** Returns the place of a spec by its hash. */
function placesIn(text: string, file: string): (hash: string) => SourceLocation {
  const lines = new Map<string, number>();
  let line = 1;
  // Spack writes a lock into one line.
  for (const [, hash] of text.includes('\n') ? text.matchAll(/\n|"([a-z2-7]{32})"\s*:\s*\{/g) : []) {
    if (hash === undefined) line += 1;
    else if (!lines.has(hash)) lines.set(hash, line);
  }
  return (hash) => ({ file, line: lines.get(hash) ?? 1 });
}

/** The specs that need each spec directly, by its hash. */
export function usersOf(specs: Lock['specs']): ReadonlyMap<string, readonly LockedSpec[]> {
  const users = new Map([...specs.keys()].map((hash) => [hash, [] as LockedSpec[]]));
  for (const spec of specs.values()) for (const one of new Set(spec.dependencies)) users.get(one)!.push(spec);
  return users;
}

/** Sorts specs behind all that they need, without recursion: a chain may have thousands. Specs of a cycle are left out. */
function inOrder(all: Lock['specs']): Lock['specs'] {
  const users = usersOf(all);
  const left = new Map([...all].map(([hash, { dependencies }]) => [hash, new Set(dependencies).size]));
  const sorted = new Map([...all].filter(([hash]) => left.get(hash) === 0));
  for (const hash of sorted.keys())
    for (const user of users.get(hash)!) {
      left.set(user.hash, left.get(user.hash)! - 1);
      if (left.get(user.hash) === 0) sorted.set(user.hash, user);
    }
  return sorted;
}

/** Roots of the file that the lock lacks, and roots that it has besides. Null if there are none of both.
 * @param roots of the file, as `printSpec` prints them */
export function staleRoots(roots: readonly string[], lock: Lock) {
  const locked = lock.roots.map(({ spec }) => printedRoot(spec));
  const lacks = roots.filter((root) => !locked.includes(root));
  const has = locked.filter((root) => !roots.includes(root));
  return lacks.length + has.length === 0 ? null : { lacks, has };
}

/** The text of a root as `printSpec` prints it. */
export function printedRoot(text: string): string {
  const read = parseSpec(text);
  return isUnderstood(read) ? printSpec(read) : text;
}
