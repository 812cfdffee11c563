import type { Ask, ImportFacts } from '../../../importers/asks.js';
import type { At, Imported, Importer, ReadFiles, Setting } from '../../../importers/importer.js';
import { digestOf } from '../../../model/digest.js';
import type { Problem } from '../../../model/failure.js';
import type { ImportedEntry } from '../../../model/imported-entry.js';
import { canonical, type JsonObject } from '../../../model/json.js';
import { type EnvironmentImport, Spec } from '../schemas/environment.js';
import type { LeftOut } from './chosen.js';
import { entryNames } from './entry-names.js';
import { type Kept, lockOf, readFiles } from './environment-files.js';
import type { Environment } from './environment.js';
import { hostTarget } from './host-target.js';
import { type ChosenJob, jobsOf, mapped } from './jobs.js';
import { failing, isBuilt, judgeSpecs, knownSpecs, toleratedIn } from './judged.js';
import type { Lock, LockedSpec } from './lock.js';
import { noticesOf } from './notices.js';
import { recipeAsks, recipeFaults, repositoryAsks } from './recipes.js';
import { rowsOf } from './rows.js';

/** A `spack.yaml` with its lock, as entries of `specs`: one for each concrete spec that is not external. */
export const importSpack: Importer<EnvironmentImport, Kept, Ask> = {
  ...{ makes: { specs: Spec }, stored: null },
  read,
  make,
  merge: (first, second) => (isSame(first, second) ? first : null),
};

/** One hash of two environments is one build, if the same is said for it. */
const isSame = ({ entry: a }: ImportedEntry, { entry: b }: ImportedEntry): boolean =>
  ['hash', 'settings', 'network', 'spack', 'on', 'unserved', 'setup', 'variables', 'jobs', 'base'].every(
    (key) => canonical(a[key] ?? null) === canonical(b[key] ?? null),
  );

function read(entry: EnvironmentImport, facts: ImportFacts, _at: At, held: unknown): ReadFiles<Kept, Ask> {
  const kept = (held as Kept | undefined) ?? readFiles(entry, facts);
  const { today } = facts;
  const day: readonly Ask[] = entry.known.length > 0 && today['UTC'] === undefined ? [{ ask: 'today' }] : [];
  if ('asks' in kept) return { asks: [...kept.asks, ...day, ...repositoryAsks(entry.recipes, facts)] };
  if (kept.lock === null) return { kept };
  const asks = recipeAsks(kept.lock, entry.recipes, facts);
  if (asks.length > 0) return { asks, held: kept };
  const findings = [...kept.findings, ...recipeFaults(kept.lock, entry.recipes, facts)];
  return { kept: { ...kept, today: today['UTC'], findings } };
}

function make(kept: Kept, entry: EnvironmentImport, setting: Setting): Imported {
  const { environment, lock: whole, findings, today = '' } = kept;
  if (environment === null || whole === null || findings.length > 0) return { entries: [], findings };
  const found: Problem[] = [];
  const tell = (problem: Problem): void => void found.push(problem);
  const hasJobs = entry.runners !== undefined || Object.keys(entry.images).length > 0;
  const rules = hasJobs ? environment.rules(tell) : null;
  const { lock, left } = entry.unmapped === 'drop' ? mapped(whole, rules) : { lock: whole, left: [] };
  const jobs = hasJobs ? jobsOf(lock, rules, entry, setting.at(['runners']), tell) : undefined;
  const out = [...kept.left, ...left];
  const { known, notices } = knownSpecs(withLeft(lock, out), entry.known, { ...setting, today }, tell);
  if (found.length > 0) return { entries: [], findings: found };
  const built = [...lock.specs.values()].filter(({ external }) => external === null);
  const names = entryNames(built, entry.prefix);
  const judged = judgeSpecs(lock, names, setting.tries, known);
  const facts = factsOf(environment, entry, setting);
  return {
    entries: built
      .filter(({ hash }) => isBuilt(judged.get(hash)))
      .map((spec) => entryOf(spec, names, { ...facts, ...jobFacts(jobs?.get(spec.hash)) }, lockOf(entry.file))),
    tolerated: toleratedIn(names, judged),
    findings: [],
    notices: [
      ...noticesOf(entry.file, environment, kept, out, jobs && { rules, jobs }),
      ...hostTarget(entry.file, environment, lock),
      ...notices,
      ...failing(setting.key, lock, names, judged),
    ],
    rows: rowsOf(lock, names, judged, out, jobs),
  };
}

/** Rows of `known` may name a spec that is left out. */
const withLeft = (lock: Lock, left: LeftOut): Lock => ({
  ...lock,
  specs: new Map([...lock.specs, ...left.map(({ spec }) => [spec.hash, spec] as const)]),
});

/** Keys that all entries of an environment have. */
function factsOf({ settings, included }: Environment, entry: EnvironmentImport, setting: Setting): JsonObject {
  const [own, ...others] = settings;
  return {
    environment: setting.key.replace('.', '/'),
    ...{ file: entry.file, recipes: entry.recipes, retryFailed: '7d' },
    settings: digestOf(others.length === 0 ? own : settings, setting.hash),
    ...(included.length > 0 && { included }),
    ...(entry.setup !== undefined && { setup: entry.setup }),
    ...(entry.network && { network: true }),
    ...(entry.spack !== undefined && { spack: entry.spack }),
  };
}

const JOBS = 'SPACK_BUILD_JOBS';

/** Keys that rules give to an entry. */
function jobFacts(job: ChosenJob | undefined): JsonObject {
  if (job === undefined) return {};
  const { runner, base } = job;
  const { [JOBS]: said = '', ...variables } = job.variables;
  const jobs = /^[1-9]\d{0,3}$/.test(said) ? Number(said) : null;
  return {
    ...(runner !== null && { on: runner.on, ...(runner.unserved !== undefined && { unserved: runner.unserved }) }),
    ...(base !== null && { base }),
    ...(Object.keys(variables).length > 0 && { variables }),
    ...(jobs !== null && { jobs }),
  };
}

/** @param names of entries by hash
 * @param facts keys of the entry that are not of the spec itself
 * @param mainLock path of the lock of the environment */
function entryOf(
  { hash, name: called, version, dependencies, place }: LockedSpec,
  names: ReadonlyMap<string, string>,
  facts: JsonObject,
  mainLock: string,
): ImportedEntry {
  const needed = dependencies.flatMap((one) => names.get(one) ?? []);
  const lock = place.file === mainLock ? {} : { lock: place.file };
  const entry = { hash, name: called, version, ...facts, ...lock, dependencies: needed };
  return { section: 'specs', framed: true, name: names.get(hash)!, entry, origin: place, places: {}, because: null };
}
