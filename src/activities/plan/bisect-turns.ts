import { fail } from '../../model/failure.js';
import type { RunId } from '../../model/ids.js';
import { records } from '../../model/run-folder.js';
import type { Store } from '../ports.js';
import { problems } from './errors.js';

/** Bisects that may begin in one store within a day, in UTC: each starts many runs. */
const MOST_A_DAY = 10;

const dayOf = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10);

/** Returns how many bisects may still begin today. */
export async function turnsLeft(store: Pick<Store, 'list'>, nowMs: number): Promise<number> {
  return MOST_A_DAY - (await store.list(records.bisects(dayOf(nowMs)))).length;
}

/** Takes one of the day's turns for a bisect. A second attempt keeps the first one's. Throws BISECT_LIMIT. */
export async function takeTurn(
  store: Pick<Store, 'create'>,
  bisect: { readonly workflowId: string; readonly run: RunId },
  nowMs: number,
): Promise<void> {
  const day = dayOf(nowMs);
  for (let no = 1; no <= MOST_A_DAY; no += 1) {
    const { value } = await store.create(records.bisects(day, no), bisect);
    if (value.run === bisect.run) return;
  }
  throw fail(problems.tooManyBisects(MOST_A_DAY, day));
}
