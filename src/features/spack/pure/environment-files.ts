import type { CommitAsk, FileAsk, ImportFacts } from '../../../importers/asks.js';
import type { Complain } from '../../../importers/file-problem.js';
import type { Problem } from '../../../model/failure.js';
import type { EnvironmentImport } from '../schemas/environment.js';
import { below, type LeftOut } from './chosen.js';
import { type Environment, readEnvironment } from './environment.js';
import { problems } from './errors.js';
import type { Roots } from './expand.js';
import type { Around } from './include.js';
import { COMPILERS_ARE_SPECS, type Lock, LONGEST_LOCK, printedRoot, readLock, staleRoots } from './lock.js';
import { barred, type Phase, phased } from './phases.js';

/** Null: findings say why. */
export interface Kept {
  readonly environment: Environment | null;
  /** Specs of all phases and of the chosen groups. */
  readonly lock: Lock | null;
  /** Specs of other groups. */
  readonly left: LeftOut;
  /** Lists of `bootstrap` that have no lock, and need none. */
  readonly idle: readonly string[];
  /** Why nobody can compare the roots with the lock. Null: they are compared. */
  readonly notCompared: string | null;
  readonly findings: readonly Problem[];
  /** Day of planning. Absent: nothing is known to fail. */
  readonly today?: string | undefined;
}

type Asks = readonly (CommitAsk | FileAsk)[];

export const lockOf = (file: string): string => file.replace(/[^/]*$/, 'spack.lock');
/** Lock of a list of `bootstrap`. */
export const phaseLockOf = (file: string, name: string): string => file.replace(/[^/]*$/, `${name}/spack.lock`);

const askLock = (path: string): CommitAsk => ({ ask: 'text', path, mostBytes: LONGEST_LOCK });

/** What the import says about its environment, with the answers so far. */
export const aroundOf = ({ host, includes }: EnvironmentImport, facts: Around['facts']): Around => ({
  ...{ host, repositories: includes, facts },
});

/** Reads an environment with its includes and locks, or returns what has to be read before. */
export function readFiles(entry: EnvironmentImport, facts: ImportFacts): { readonly asks: Asks } | Kept {
  const { file } = entry;
  const lockFile = lockOf(file);
  const [text, locked] = [facts.text[file], facts.text[lockFile]];
  if (text === undefined || locked === undefined) return { asks: [{ ask: 'text', path: file }, askLock(lockFile)] };
  const findings: Problem[] = [];
  const complain = (problem: Problem): void => void findings.push(problem);
  if (text === null) complain(problems.absent(undefined, file));
  else if (locked === null) complain(problems.lockAbsent({ file }, lockFile));
  const environment = text === null ? null : readEnvironment(text, file, complain, aroundOf(entry, facts));
  const lists = environment?.bootstrap(complain) ?? [];
  const paths = [...new Set(lists.map(({ name }) => phaseLockOf(file, name)))];
  const unread = paths.filter((path) => facts.text[path] === undefined);
  const asks: Asks = [...(environment?.asks ?? []), ...unread.map(askLock)];
  if (asks.length > 0) return { asks };
  const main = locked === null ? null : readLock(locked, lockFile, complain);
  if (environment === null || main === null) return { ...NOTHING, environment, findings };
  const phases: Phase[] = [];
  const idle: string[] = [];
  for (const list of lists) {
    const path = phaseLockOf(file, list.name);
    const own = facts.text[path];
    const lock = typeof own === 'string' ? readLock(own, path, complain) : null;
    if (lock !== null) phases.push({ ...list, lock });
    else if (own === null && main.format >= COMPILERS_ARE_SPECS) idle.push(list.name);
    else if (own === null) complain(problems.phaseLockAbsent({ file }, list.name, path));
  }
  const roots = environment.roots(complain);
  compare(roots, main, phases, file, complain);
  const chosen = chosenBy(entry, roots, main, complain);
  const whole = phased(chosen.lock, phases);
  return {
    ...{ environment, lock: entry.barrier ? barred(whole) : whole, left: chosen.left, idle },
    notCompared: 'why' in roots ? roots.why : null,
    findings,
  };
}

const NOTHING: Kept = { environment: null, lock: null, left: [], idle: [], notCompared: null, findings: [] };

/** Complains of locks that were written for other specs. */
function compare(roots: Roots, main: Lock, phases: readonly Phase[], file: string, complain: Complain): void {
  if ('why' in roots) return;
  const wanted = roots.roots.map(({ spec }) => spec);
  const all = [{ wanted, lock: main }, ...phases.map(({ name, lock }) => ({ wanted: roots.list(name), lock }))];
  for (const one of all) {
    const stale = one.wanted && staleRoots(one.wanted, one.lock);
    if (stale !== null) complain(problems.lockStale({ file }, stale.lacks, stale.has));
  }
}

/** The part of a lock that the groups of the import choose. */
function chosenBy({ groups }: EnvironmentImport, roots: Roots, lock: Lock, complain: Complain) {
  if (groups === undefined) return { lock, left: [] };
  const labels = new Map(('why' in roots ? [] : roots.roots).map(({ spec, group }) => [spec, group]));
  const groupOf = ({ spec, group }: Lock['roots'][number]): string =>
    group ?? labels.get(printedRoot(spec)) ?? 'default';
  const there = [...new Set(lock.roots.map(groupOf))];
  for (const name of groups) if (!there.includes(name)) complain(problems.groupUnknown(undefined, name, there));
  const because = `only roots of other groups than ${groups.join(', ')} need it`;
  return below(lock, (root) => groups.includes(groupOf(root)), because);
}
