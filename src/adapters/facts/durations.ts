import type { Store } from '../../activities/ports.js';
import type { Durations } from '../../model/durations.js';
import { SlipwayFailure } from '../../model/failure.js';
import { records } from '../../model/run-folder.js';

/** Number of recent runs to read: of this release, and of all others. */
const OWN = 8;
const OTHERS = 8;

/** Returns the durations of recent runs, oldest first. Skips damaged records: durations only affect order and
 * estimates. */
export async function readDurations(
  store: Pick<Store, 'list' | 'read'>,
  release: string,
): Promise<readonly Durations[]> {
  const own = (await store.list(records.durations(release))).slice(-OWN);
  const others = (await store.list('durations/')).filter((name) => !name.startsWith(records.durations(release)));
  const latest = others.sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1)).slice(-OTHERS);
  const read = await Promise.all([...latest, ...own].map((name) => store.read<Durations>(name).catch(unlessDamaged)));
  return read.filter((one) => one !== null);
}

/** Record names start with the run's start time. */
const timeOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1);

function unlessDamaged(error: unknown): null {
  if (error instanceof SlipwayFailure && error.first.code === 'RECORD_DAMAGED') return null;
  throw error;
}
