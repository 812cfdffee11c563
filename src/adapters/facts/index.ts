import { join, resolve } from 'node:path';
import type { Past, PlanSignatures } from '../../activities/plan/ports.js';
import type { Store } from '../../activities/ports.js';
import type { Digest } from '../../model/digest.js';
import { canonical } from '../../model/json.js';
import type { PlannedSettings } from '../../plan/feature.js';
import type { Given, Plan, Skeleton } from '../../model/plan.js';
import { type GitSource as Exported, records } from '../../model/run-folder.js';
import type { Facts, GitFacts } from '../../plan/facts.js';
import { type GitSource, gitSourceOf, namedGitSources } from '../../plan/git-source.js';
import { nameOf } from '../../plan/head.js';
import { plan as planned } from '../../plan/plan.js';
import type { ReadFile } from '../../plan/read/release-file.js';
import { statesBy, toleratedBy } from '../../plan/tolerated.js';
import { skeletonOf } from '../../plan/skeleton.js';
import { basesMadeFor } from './made-bases.js';
import { atCommit } from './at-commit.js';
import { readBundle } from './bundle.js';
import { archive } from './git.js';
import type { SourceFacts, WithImports } from './imports.js';
import { importersWith } from './importers.js';
import { importedWithTries } from './imported-with-tries.js';
import { readFleet, readProfile } from './profile.js';
import { withChanged } from './with-changed.js';
import { withSettings } from './settings.js';
import { readTagRules } from './tag-rules.js';
import { readReleaseText, parsedRelease } from './release-text.js';
import { readCommits } from './wheels/index.js';

/** No earlier runs and no features. */
export const NO_PAST: Past = {
  features: {},
  answers: () => Promise.resolve({}),
  standings: () => Promise.resolve(null),
  failed: () => Promise.resolve({ steps: new Set(), of: () => Promise.resolve({}) }),
  listed: () => Promise.resolve({ wheels: [], findings: [] }),
  pure: (sdists) => Promise.resolve(Object.fromEntries(sdists.map((sdist) => [sdist, []]))),
  bases: () => Promise.resolve({}),
};

export interface Gathered {
  readonly file: ReadFile;
  readonly facts: Facts;
  /** Absolute folder of the release file. */
  readonly folder: string;
  /** Texts that imports and settings read of the source. Null: the file has neither. */
  readonly source: SourceFacts | null;
  /** Imported entries by the id of their importing entry. */
  readonly imported: WithImports['imported'];
  readonly rows: WithImports['rows'];
  /** The same with a preset, from the same facts. */
  withPreset(preset: string): Promise<Gathered>;
}

/** Reads everything that planning needs, once. Throws all problems of the release file first. */
export async function gatherFacts(
  file: string,
  profile: string,
  cwd: string = process.cwd(),
  asked: Given = {},
  past: Past = NO_PAST,
  before: SourceFacts | null = null,
): Promise<Gathered> {
  const importers = importersWith(past.features);
  const read = await readReleaseText(file, cwd);
  const { file: parsed, given } = atCommit(parsedRelease(read), asked);
  // A planning process has another server, and starts 20 ms sooner without this one.
  const server = past.wheels ?? (await import('../wheel-server/wheel-server.js')).createWheelServer();
  const facts = Promise.all([
    readBundle(read.folder, read.shown),
    readProfile(profile, read.folder),
    readFleet(),
    readTagRules(parsed, read.folder),
  ]).then(([bundle, found, fleet, tagRules]): Facts => ({
    ...{ profile: found, bundle, releaseFile: read.name, features: past.features, git: null, tagRules, given },
    ...{ nowMs: Date.now(), ...fleet },
  }));
  const commits = before ?? readCommits({ file: parsed, folder: read.folder, facts, given, server });
  const section = parsed.content.standings;
  const chain = section && { pipeline: nameOf(parsed.content), profile, branch: section.branch };
  const [known, { git, sources, wheels }, standings, madeFor] = await Promise.all([
    facts,
    commits,
    chain ? past.standings(chain) : null,
    basesMadeFor(parsed.content, past),
  ]);
  const states = chain ? statesBy(standings, known.nowMs) : null;
  const gotten = { ...known, git, ...(sources && { sources }), wheels, ...(madeFor && { madeFor }) };
  const gathered = async (by: Given, former: SourceFacts | null): Promise<Gathered> => {
    const around = { git, folder: read.folder, given: by, before: former };
    const { file: own, answers: settings } = await withSettings(parsed, { ...around, features: past.features });
    const { file: set, answers: changed } = await withChanged(own, { ...around, ...(sources && { sources }) });
    const all = { ...gotten, given: by };
    const {
      file: whole,
      tolerated,
      ...imports
    } = await importedWithTries(set, {
      ...{ ...around, wheels, states, settings, changed, ...(sources && { sources }) },
      ...{ platforms: known.platforms, profile: known.profile, past, importers, facts: all },
    });
    return {
      file: whole,
      folder: read.folder,
      facts: { ...all, tolerated: { ...toleratedBy(standings, known.nowMs), ...tolerated } },
      withPreset: (preset) => gathered({ ...given, preset: [preset] }, imports.source),
      ...imports,
    };
  };
  return gathered(given, before);
}

export interface PlanWithRows extends Pick<WithImports, 'rows' | 'source'> {
  readonly plan: Plan;
  /** Null: the file has none. */
  readonly settings: PlannedSettings | null;
  /** Plans with a preset, from the same facts. Throws every problem at once. */
  planWith(preset: string): Promise<Plan>;
}

/** Reads the settings of a release file, without a plan. Null: it has none. */
export async function settings(...[file, profile, given, past]: Parameters<typeof planWithRows>) {
  return (await gatherFacts(file, profile, process.cwd(), given, past)).file.settings ?? null;
}

/** Plans, and returns what imports judged and read.
 * @param before facts of a former plan, in place of the repository */
export async function planWithRows(
  file: string,
  profile: string,
  given?: Given,
  past?: Past,
  before: SourceFacts | null = null,
): Promise<PlanWithRows> {
  const gathered = await gatherFacts(file, profile, process.cwd(), given, past, before);
  const planOf = ({ file: read, facts }: Gathered): Plan => planned(read, facts);
  const { rows, source } = gathered;
  return {
    ...{ plan: planOf(gathered), rows, source, settings: gathered.file.settings ?? null },
    planWith: async (preset) => planOf(await gathered.withPreset(preset)),
  };
}

export const plan = async (...args: Parameters<typeof planWithRows>): Promise<Plan> =>
  (await planWithRows(...args)).plan;

export interface Submitted {
  readonly plan: Plan;
  readonly digest: Digest;
}

export interface Shelf {
  readonly store: Store;
  readonly signatures: PlanSignatures;
  readonly past?: Past;
}

/** Stores plan, bundle and source, and signs the plan, so that any worker with this store can run it. */
export async function submit(
  file: string,
  profile: string,
  { store, signatures, past }: Shelf,
  given?: Given,
): Promise<Submitted> {
  const gathered = await gatherFacts(file, profile, process.cwd(), given, past);
  const { file: read, facts, folder, source: asked, rows } = gathered;
  const made = planned(read, facts);
  for (const one of made.bundle) await store.putFile(join(folder, one.path));
  for (const { from } of Object.values(facts.wheels ?? {}))
    if ('files' in from) for (const { path } of Object.values(from.files)) await store.putFile(path);
  const main = gitSourceOf(read.content);
  if (main !== null) await submitSource(main, facts.git, folder, store);
  for (const { name, source } of namedGitSources(read.content))
    await submitSource(source, facts.sources?.[name], folder, store);
  for (const document of [asked, rows, read.settings?.document])
    if (document !== null && document !== undefined) await store.put(once(canonical(document)));
  const { digest } = await store.put(once(canonical(made)));
  await signatures.sign(digest);
  return { plan: made, digest };
}

/** Stores the commit's tree once; a record from an earlier submission is used as it is. */
async function submitSource(
  { git, folder }: GitSource,
  facts: GitFacts | null | undefined,
  beside: string,
  store: Store,
): Promise<void> {
  const { commit } = facts!;
  if ((await store.read(records.gitSource(commit, folder))) !== null) return;
  const { tar, epoch, ancestors } = await archive(resolve(beside, git), commit, folder);
  await store.create<Exported>(records.gitSource(commit, folder), { ...(await store.put(tar)), epoch, ancestors });
}

export async function* once(text: string): AsyncIterable<Uint8Array> {
  yield new TextEncoder().encode(text);
}

export async function skeleton(made: Plan, digest: Digest): Promise<Skeleton> {
  return skeletonOf(made, digest, (await readFleet()).queues);
}
