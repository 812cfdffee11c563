import type { CommitAsk, ImportFacts } from '../../../importers/asks.js';
import type { At, Imported, Importer, ReadFiles, Setting } from '../../../importers/importer.js';
import { digestOf } from '../../../model/digest.js';
import type { Problem } from '../../../model/failure.js';
import type { Finding } from '../../../model/finding.js';
import type { ImportedEntry } from '../../../model/imported-entry.js';
import type { Row } from '../../../model/rows.js';
import { type EnvironmentImport, Spec } from '../schemas/environment.js';
import { entryNames } from './entry-names.js';
import { type Environment, readEnvironment } from './environment.js';
import { problems } from './errors.js';
import { type Lock, type LockedSpec, readLock, staleRoots } from './lock.js';
import { recipeAsks, recipeFaults, repositoryAsks } from './recipes.js';

/** Null: findings say why. */
export interface Kept {
  readonly environment: Environment | null;
  readonly lock: Lock | null;
  readonly findings: readonly Problem[];
}

/** A `spack.yaml` with its lock, as entries of `specs`: one for each concrete spec that is not external. */
export const importSpack: Importer<EnvironmentImport, Kept> = {
  ...{ makes: { specs: Spec }, stored: null },
  read,
  make,
  merge: (first, second) => (isSame(first, second) ? first : null),
};

/** One hash of two environments is one build, if the same settings and queue are said for it. */
const isSame = ({ entry: a }: ImportedEntry, { entry: b }: ImportedEntry): boolean =>
  ['hash', 'settings', 'network', 'on'].every((key) => a[key] === b[key]);

export const lockOf = (file: string): string => file.replace(/[^/]*$/, 'spack.lock');

function read(entry: EnvironmentImport, facts: ImportFacts, _at: At, held: unknown): ReadFiles<Kept> {
  const lockFile = lockOf(entry.file);
  const [text, locked] = [facts.text[entry.file], facts.text[lockFile]];
  if (text === undefined || locked === undefined) {
    const files: readonly CommitAsk[] = [entry.file, lockFile].map((path) => ({ ask: 'text', path }));
    return { asks: [...files, ...repositoryAsks(entry.recipes)] };
  }
  const kept = (held as Kept | undefined) ?? readFiles(entry.file, text, locked);
  if (kept.lock === null) return { kept };
  const asks = recipeAsks(kept.lock, entry.recipes, facts);
  if (asks.length > 0) return { asks, held: kept };
  return { kept: { ...kept, findings: [...kept.findings, ...recipeFaults(kept.lock, entry.recipes, facts)] } };
}

function readFiles(file: string, text: string | null, locked: string | null): Kept {
  const findings: Problem[] = [];
  const complain = (problem: Problem): void => void findings.push(problem);
  const lockFile = lockOf(file);
  if (text === null) complain(problems.absent(undefined, file));
  else if (locked === null) complain(problems.lockAbsent({ file }, lockFile));
  const environment = text === null ? null : readEnvironment(text, file, complain);
  const lock = locked === null ? null : readLock(locked, lockFile, complain);
  if (environment !== null && lock !== null && 'roots' in environment.roots) {
    const stale = staleRoots(environment.roots.roots, lock);
    if (stale !== null) complain(problems.lockStale({ file }, stale.lacks, stale.has));
  }
  return { environment, lock, findings };
}

function make({ environment, lock, findings }: Kept, entry: EnvironmentImport, setting: Setting): Imported {
  if (environment === null || lock === null || findings.length > 0) return { entries: [], findings };
  const all = [...lock.specs.values()];
  const names = entryNames(all.filter(({ external }) => external === null));
  const facts = {
    environment: setting.key.replace('.', '/'),
    ...{ file: entry.file, recipes: entry.recipes },
    settings: digestOf(environment.settings, setting.hash),
    ...(entry.network && { network: true }),
  };
  const needed = (hashes: readonly string[]): string[] => hashes.flatMap((hash) => names.get(hash) ?? []);
  return {
    entries: all.flatMap(({ hash, name, version, dependencies, place }) => {
      const entryName = names.get(hash);
      if (entryName === undefined) return [];
      const made = { hash, name, version, ...facts, dependencies: needed(dependencies) };
      return [
        { section: 'specs', framed: true, name: entryName, entry: made, origin: place, places: {}, because: null },
      ];
    }),
    findings: [],
    notices: noticesOf(entry.file, environment),
    rows: rowsOf(lock, names),
  };
}

function noticesOf(file: string, { ignored, roots }: Environment): readonly Finding[] {
  const keys = ignored.map((key) => ({
    ...({ level: 'note', code: 'ENVIRONMENT_KEY_IGNORED', subject: `${file}: ${key}` } as const),
    why: 'nothing reads this key of spack.yaml',
    next: 'docs/environments.md lists the keys that count.',
  }));
  if ('roots' in roots) return keys;
  const notCompared: Finding = {
    ...({ level: 'warning', code: 'ENVIRONMENT_NOT_COMPARED', subject: file } as const),
    why: `nothing compares its specs with the lock: ${roots.why}`,
    next: 'Concretize the environment after each change of it.',
  };
  return [...keys, notCompared];
}

function rowsOf(lock: Lock, names: ReadonlyMap<string, string>): readonly Row[] {
  const users = new Map<string, string[]>();
  for (const { name, dependencies } of lock.specs.values())
    for (const hash of new Set(dependencies)) users.set(hash, [...(users.get(hash) ?? []), name]);
  const roots = new Set(lock.roots.map(({ hash }) => hash));
  return [...lock.specs.values()].map((spec) => ({
    subject: `${spec.name}@${spec.version} /${spec.hash.slice(0, 7)}`,
    ...verdictOf(spec, roots.has(spec.hash), users.get(spec.hash) ?? []),
    origin: spec.place,
    ...(names.has(spec.hash) && { entry: `specs/${names.get(spec.hash)}` }),
  }));
}

const MOST_USERS = 5;

function verdictOf({ external }: LockedSpec, isRoot: boolean, users: readonly string[]) {
  if (external !== null) return { verdict: 'external', reason: `the lock takes it from ${external}` };
  const more = users.length > MOST_USERS ? ` and ${users.length - MOST_USERS} more` : '';
  const needed = users.length === 0 ? [] : [`needed by ${users.slice(0, MOST_USERS).join(', ')}${more}`];
  return { verdict: 'build', reason: [...(isRoot ? ['it is a root'] : []), ...needed].join('; ') || 'the lock has it' };
}
