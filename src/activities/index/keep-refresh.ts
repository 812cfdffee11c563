import { isFinding } from '../../engine/index/read-record.js';
import { readRefresh, refreshesOf } from '../../engine/index/refresh.js';
import { type IndexRefresh, MOST_REFRESH_BYTES, type Wanted } from '../../model/index-refresh.js';
import type { ListRequest } from '../../model/index-writer.js';
import { canonical } from '../../model/json.js';
import type { RunStatus } from '../../model/messages.js';
import type { Plan } from '../../model/plan.js';
import { indexPaths } from '../../model/python/index-entry.js';
import type { Rows } from '../../model/rows.js';
import { records } from '../../model/run-folder.js';
import { readText } from '../read-text.js';
import type { Store } from '../ports.js';
import type { IndexPlace } from './ports.js';
import { SlipwayFailure } from '../../model/failure.js';
import { inBatches } from './in-batches.js';

interface Keeping {
  readonly place: IndexPlace;
  readonly store: Store;
}

interface Kept {
  /** Platforms of the index that the run was about. */
  readonly platforms: readonly string[];
  /** Platforms whose record changed. */
  readonly refreshed: readonly string[];
}

export const NOTHING_KEPT: Kept = { platforms: [], refreshed: [] };

/** Stores in an index what an ended run wanted of it, by platform. The record of a later run stays. A run that has not ended, had
 * another plan or no lists changes nothing.
 * @param plan signed */
export async function keepRefresh({ place, store }: Keeping, plan: Plan, request: ListRequest): Promise<Kept> {
  const status = await store.read<RunStatus>(records.status(request.run));
  const digest = plan.imports?.rows;
  if (status === null || digest === undefined || status.plan !== request.plan) return NOTHING_KEPT;
  const rows = JSON.parse(await readText(store, digest)) as Rows;
  const kept = { platforms: [] as string[], refreshed: [] as string[] };
  for (const [platform, refresh] of refreshesOf({ plan, rows, status })) {
    if (!(await isOfIndex(place, plan, request, platform))) continue;
    kept.platforms.push(platform);
    if (await replaced(place, indexPaths.refresh(platform, refresh.pipeline), refresh)) kept.refreshed.push(platform);
  }
  return kept;
}

const PLATFORM = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Whether the index has wheels of a platform, or its target takes builds for it. */
async function isOfIndex(
  place: IndexPlace,
  { steps }: Plan,
  { step }: ListRequest,
  platform: string,
): Promise<boolean> {
  if (!PLATFORM.test(platform)) return false;
  const publishing = steps.filter((one) => one.kind === 'publishArtifacts');
  const target = publishing.find(({ id }) => id === step)?.params.target.name;
  const taken = publishing.flatMap(({ params }) => (params.target.name === target ? params.of : []));
  return taken.some((id) => id.endsWith(`/${platform}`)) || (await place.list(indexPaths.entries(platform))).length > 0;
}

/** Returns false if the record stays: it is of this run or of a later one. */
async function replaced(place: IndexPlace, path: string, refresh: IndexRefresh): Promise<boolean> {
  const seen = await place.read(path, MOST_REFRESH_BYTES);
  const known = seen === null ? null : readRefresh(path, seen.text);
  if (known !== null && !isFinding(known) && known.at >= refresh.at) return false;
  return place.swap(path, canonical(refresh), seen);
}

/** Stores what an ended run wanted, if that changed since the last run of its pipeline. A run that publishes nothing leaves no record in
 * an index, and a prune by another pipeline must not remove its wheels. */
export async function keepWanted(store: Store, plan: Plan, status: RunStatus): Promise<void> {
  const digest = plan.imports?.rows;
  if (digest === undefined) return;
  const rows = JSON.parse(await readText(store, digest)) as Rows;
  const wanted: Wanted = Object.fromEntries(refreshesOf({ plan, rows, status }));
  const of = { pipeline: plan.release.name, profile: plan.profile.name };
  const name = records.wanted(of, new Date(status.startedAt).toISOString());
  const last = (await store.list(records.wanted(of))).at(-1);
  if (last !== undefined && last >= name) return;
  const known = last === undefined ? null : await readable(store, last);
  if (known === null || wheelsIn(known) !== wheelsIn(wanted)) await store.create<Wanted>(name, wanted);
}

/** Null: the record has no proof. A prune refuses it, so the run stores its own. */
const readable = (store: Store, name: string): Promise<Wanted | null> =>
  store.read<Wanted>(name).catch((error: unknown) => {
    if (error instanceof SlipwayFailure) return null;
    throw error;
  });

const wheelsIn = (wanted: Wanted): string =>
  canonical(
    Object.fromEntries(
      Object.entries(wanted).map(([platform, { wheels }]) => [
        platform,
        wheels.map(({ project, version, python, state }) => ({ project, version, python, state })),
      ]),
    ),
  );

/** Returns what the last runs of all pipelines wanted on a platform. */
export async function wantedOn(store: Pick<Store, 'list' | 'read'>): Promise<(platform: string) => IndexRefresh[]> {
  const newest = new Map(
    (await store.list(records.wanted())).map((name) => [name.slice(0, name.lastIndexOf('/')), name]),
  );
  const all = await inBatches([...newest.values()], (name) => store.read<Wanted>(name));
  return (platform) =>
    all.flatMap((wanted) => (wanted !== null && Object.hasOwn(wanted, platform) ? [wanted[platform]!] : []));
}
