import type { Store } from '../../activities/ports.js';
import { targetPrefix, type LedgerEntry } from '../../engine/ledger/entry.js';
import { fail } from '../../model/failure.js';
import type { ListRequest } from '../../model/index-writer.js';
import type { RunStatus } from '../../model/messages.js';
import { records, type Started } from '../../model/run-folder.js';
import type { Target } from '../../model/target.js';
import { storedPlan } from '../stored-plan.js';
import { neverPublished } from './errors.js';

/** A publish step of a signed plan that names an index. The writer takes addresses and secrets from such a plan alone. */
export type Publisher = Omit<ListRequest, 'names'>;

interface Wanted {
  readonly target: Target;
  readonly profile: string;
  readonly file: string;
}

/** Records of the ledger that are read at most. */
const MOST_READ = 500;

/** Finds a publish step of the same address by the ledger. Throws CACHE_NOT_PUBLISHED. */
export async function publisherOf(store: Store, { target, profile, file }: Wanted): Promise<Publisher> {
  const seen = new Set<string>();
  const names = await store.list(targetPrefix(profile, target.name));
  for (const name of names.slice(-MOST_READ).reverse()) {
    const entry = await store.read<LedgerEntry>(name);
    if (entry === null || seen.has(entry.run)) continue;
    seen.add(entry.run);
    const found = await publisherIn(store, entry, target);
    if (found !== null) return found;
  }
  throw fail(neverPublished(target.name, target.address, file));
}

async function publisherIn(store: Store, { run, step }: LedgerEntry, target: Target): Promise<Publisher | null> {
  const started = await store.read<Started>(records.started(run));
  const digest = started?.plan ?? (await store.read<RunStatus>(records.status(run)))?.plan ?? null;
  const plan = await storedPlan(digest, { store: async () => store });
  const found = plan?.steps.find(({ id }) => id === step);
  if (digest === null || found?.kind !== 'publishArtifacts') return null;
  return found.params.target.address === target.address ? { plan: digest, step, run } : null;
}
