import { records } from '../../model/run-folder.js';
import type { Audited } from '../../model/words.js';
import type { Work } from '../work.js';

/** Returns the words of people to the run so far, with their answers, in their order. */
export async function wordsSaid({ store, run }: Pick<Work, 'store' | 'run'>): Promise<readonly Audited[]> {
  const names = await store.list(records.audit(run));
  const words = await Promise.all(names.map((name) => store.read<Audited>(name)));
  return words.filter((word) => word !== null);
}
