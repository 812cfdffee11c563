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

/** Reads a lock. What is wrong with it is complained of; then the lock is null. */
export function readLock(text: string, file: string, complain: Complain): Lock | null {
  const read = parsed(text, file, complain);
  if (read === null) return null;
  const lineOf = linesOf(text);
  const specs = Object.entries(read.concrete_specs).map(([hash, node]) =>
    lockedSpec(hash, node, { file, line: lineOf.get(hash) ?? 1 }),
  );
  const known = new Map(specs.map((spec) => [spec.hash, spec]));
  const lost = [
    ...read.roots.filter(({ hash }) => !known.has(hash)).map(({ hash, spec }) => ({ from: `the root ${spec}`, hash })),
    ...specs.flatMap(({ name, dependencies }) =>
      dependencies.filter((hash) => !known.has(hash)).map((hash) => ({ from: name, hash })),
    ),
  ];
  for (const { from, hash } of lost.slice(0, MOST_TOLD)) complain(problems.lockEdge({ file }, from, hash));
  if (lost.length > 0) return null;
  const sorted = inOrder(known);
  if ('cycle' in sorted) complain(problems.lockCycle({ file }, sorted.cycle));
  if ('cycle' in sorted) return null;
  const { spack: writer, roots, _meta } = read;
  return { writer, format: _meta['lockfile-version'], roots, specs: sorted.specs };
}

const MOST_TOLD = 20;

function parsed(text: string, file: string, complain: Complain): LockFile | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    complain(problems.lockInvalid({ file }, error instanceof Error ? error.message : String(error)));
    return null;
  }
  const version: unknown = (json as Partial<LockFile> | null)?._meta?.['lockfile-version'];
  const specs = Object.keys((json as Partial<LockFile> | null)?.concrete_specs ?? {}).length;
  const wrong =
    typeof version === 'number' && version > NEWEST
      ? problems.lockTooNew({ file }, version, NEWEST)
      : typeof version === 'number' && version < OLDEST
        ? problems.lockTooOld({ file }, version, OLDEST)
        : specs > MOST_SPECS
          ? problems.lockTooLarge({ file }, specs, MOST_SPECS)
          : null;
  if (wrong !== null) {
    complain(wrong);
    return null;
  }
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

/** Lines of the specs by hash, counted from 1. */
function linesOf(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  // Spack writes a lock into one line.
  if (!text.includes('\n')) return lines;
  let line = 1;
  for (const found of text.matchAll(/\n|"([a-z2-7]{32})"\s*:\s*\{/g)) {
    if (found[1] === undefined) line += 1;
    else if (!lines.has(found[1])) lines.set(found[1], line);
  }
  return lines;
}

type Specs = ReadonlyMap<string, LockedSpec>;

/** Sorts specs behind all that they need, without recursion: a chain may have thousands. */
function inOrder(all: Specs): { readonly specs: Specs } | { readonly cycle: readonly string[] } {
  const users = new Map<string, string[]>();
  const left = new Map<string, number>();
  for (const { hash, dependencies } of all.values()) {
    const needed = new Set(dependencies);
    left.set(hash, needed.size);
    for (const one of needed) {
      const some = users.get(one);
      if (some === undefined) users.set(one, [hash]);
      else some.push(hash);
    }
  }
  const ready = [...left].filter(([, count]) => count === 0).map(([hash]) => hash);
  const sorted = new Map<string, LockedSpec>();
  for (const hash of ready) {
    sorted.set(hash, all.get(hash)!);
    for (const user of users.get(hash) ?? []) {
      left.set(user, left.get(user)! - 1);
      if (left.get(user) === 0) ready.push(user);
    }
  }
  if (sorted.size === all.size) return { specs: sorted };
  return { cycle: [...all.values()].filter(({ hash }) => !sorted.has(hash)).map(({ name }) => name) };
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
