import { refreshesOf } from '../../engine/index/refresh.js';
import { SlipwayFailure } from '../../model/failure.js';
import type { IndexRefresh, Wanted } from '../../model/index-refresh.js';
import { canonical } from '../../model/json.js';
import type { RunStatus } from '../../model/messages.js';
import type { Plan } from '../../model/plan.js';
import type { Rows } from '../../model/rows.js';
import { records } from '../../model/run-folder.js';
import { readText } from '../read-text.js';
import type { Store } from '../ports.js';
import { inBatches } from './in-batches.js';

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
