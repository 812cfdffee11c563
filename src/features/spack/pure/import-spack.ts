import type { Ask, ImportFacts } from '../../../importers/asks.js';
import type { At, Imported, Importer, ReadFiles, Setting } from '../../../importers/importer.js';
import { digestOf } from '../../../model/digest.js';
import type { Problem } from '../../../model/failure.js';
import type { ImportedEntry } from '../../../model/imported-entry.js';
import type { JsonObject } from '../../../model/json.js';
import { type EnvironmentImport, Spec } from '../schemas/environment.js';
import { entryNames } from './entry-names.js';
import { type Environment, readEnvironment } from './environment.js';
import { problems } from './errors.js';
import { failing, isBuilt, judgeSpecs, knownSpecs, toleratedIn } from './judged.js';
import { type Lock, type LockedSpec, readLock, staleRoots } from './lock.js';
import { noticesOf } from './notices.js';
import { queuesOf } from './queues.js';
import { recipeAsks, recipeFaults, repositoryAsks } from './recipes.js';
import { rowsOf } from './rows.js';

/** Null: findings say why. */
export interface Kept {
  readonly environment: Environment | null;
  readonly lock: Lock | null;
  readonly findings: readonly Problem[];
  /** Day of planning. Absent: nothing is known to fail. */
  readonly today?: string | undefined;
}

/** A `spack.yaml` with its lock, as entries of `specs`: one for each concrete spec that is not external. */
export const importSpack: Importer<EnvironmentImport, Kept, Ask> = {
  ...{ makes: { specs: Spec }, stored: null },
  read,
  make,
  merge: (first, second) => (isSame(first, second) ? first : null),
};

/** One hash of two environments is one build, if the same settings and queue are said for it. */
const isSame = ({ entry: a }: ImportedEntry, { entry: b }: ImportedEntry): boolean =>
  ['hash', 'settings', 'network', 'spack', 'on'].every((key) => a[key] === b[key]);

export const lockOf = (file: string): string => file.replace(/[^/]*$/, 'spack.lock');

function read(entry: EnvironmentImport, facts: ImportFacts, _at: At, held: unknown): ReadFiles<Kept, Ask> {
  const lockFile = lockOf(entry.file);
  const [text, locked] = [facts.text[entry.file], facts.text[lockFile]];
  if (text === undefined || locked === undefined) {
    const files: readonly Ask[] = [entry.file, lockFile].map((path) => ({ ask: 'text', path }));
    const day: readonly Ask[] = entry.known.length > 0 ? [{ ask: 'today' }] : [];
    return { asks: [...files, ...day, ...repositoryAsks(entry.recipes)] };
  }
  const kept = (held as Kept | undefined) ?? { ...readFiles(entry.file, text, locked), today: facts.today['UTC'] };
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

function make({ environment, lock, findings, today = '' }: Kept, entry: EnvironmentImport, setting: Setting): Imported {
  if (environment === null || lock === null || findings.length > 0) return { entries: [], findings };
  const found: Problem[] = [];
  const { runners } = entry;
  const tell = (problem: Problem): void => void found.push(problem);
  const queues = runners && queuesOf(lock, environment.rules(tell), runners, setting.at(['runners']), tell);
  const { known, notices } = knownSpecs(lock, entry.known, { ...setting, today }, tell);
  if (found.length > 0) return { entries: [], findings: found };
  const names = entryNames([...lock.specs.values()].filter(({ external }) => external === null));
  const judged = judgeSpecs(lock, names, setting.tries, known);
  const facts = {
    environment: setting.key.replace('.', '/'),
    ...{ file: entry.file, recipes: entry.recipes },
    settings: digestOf(environment.settings, setting.hash),
    ...{ retryFailed: '7d', ...(entry.network && { network: true }) },
    ...(entry.spack !== undefined && { spack: entry.spack }),
  };
  return {
    entries: [...names]
      .filter(([hash]) => isBuilt(judged.get(hash)))
      .map(([hash, name]) => entryOf(name, lock.specs.get(hash)!, names, facts, queues?.get(hash)?.on)),
    tolerated: toleratedIn(names, judged),
    findings: [],
    notices: [...noticesOf(entry.file, environment, queues), ...notices, ...failing(setting.key, lock, names, judged)],
    rows: rowsOf(lock, names, judged, queues),
  };
}

/** @param names of entries by hash
 * @param facts keys that all entries of the environment have
 * @param on queue. Absent: that of the importing entry */
function entryOf(
  name: string,
  { hash, name: called, version, dependencies, place }: LockedSpec,
  names: ReadonlyMap<string, string>,
  facts: JsonObject,
  on: string | undefined,
): ImportedEntry {
  const needed = dependencies.flatMap((one) => names.get(one) ?? []);
  const entry = { hash, name: called, version, ...facts, dependencies: needed, ...(on !== undefined && { on }) };
  return { section: 'specs', framed: true, name, entry, origin: place, places: {}, because: null };
}
