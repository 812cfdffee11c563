import { records } from '../../model/run-folder.js';
import type { Audited } from '../../model/actions.js';
import type { Work } from '../work.js';

/** Returns the actions of operators on the run so far, with their answers, in order. */
export async function actionsSent({ store, run }: Pick<Work, 'store' | 'run'>): Promise<readonly Audited[]> {
  const names = await store.list(records.audit(run));
  const actions = await Promise.all(names.map((name) => store.read<Audited>(name)));
  return actions.filter((action) => action !== null);
}
