import { bisectIdOf, isFullHash, isTestName, MOST_WAYS, type PlanBisect } from '../../model/bisect.js';
import { fail } from '../../model/failure.js';
import type { RunId } from '../../model/ids.js';
import { records } from '../../model/run-folder.js';
import { problems } from './errors.js';
import type { Store } from '../ports.js';
import { sha256 } from '../sha256.js';
import type { Planner } from './ports.js';

/** Bisects that may begin in one store within a day, in UTC: each starts many runs. */
const MOST_A_DAY = 10;

/** Reads the commits of a bisect on the control worker, and takes a turn of the day for it: no other way begins a bisect. */
export const createPlanBisect = (
  planner: Pick<Planner, 'span'>,
  store: Pick<Store, 'create'>,
  nowMs: () => number,
): PlanBisect =>
  async function planBisect({ workflowId, ...input }) {
    const fault = faultOf(input);
    if (fault !== null) throw fail(problems.notABisect(fault));
    const { file, test, good, bad } = input;
    const span = await planner.span(file, { good, bad });
    const wanted = bisectIdOf({ pipeline: span.pipeline, test, bad });
    if (workflowId !== wanted) throw fail(problems.otherBisectId(workflowId, wanted));
    await takeTurn(store, { workflowId, run: input.run }, nowMs());
    return { ...span, mark: sha256(`${workflowId} ${input.run}`).slice(7, 15) };
  };

/** The input may be typed by hand, so every type is possible. */
function faultOf(
  input: Readonly<Record<keyof Omit<Parameters<PlanBisect>[0], 'by' | 'engine' | 'workflowId'>, unknown>>,
) {
  const { file, profile, test, good, bad, ways } = input;
  if (typeof file !== 'string' || !file.startsWith('/')) return 'has no absolute path of a release file as "file"';
  if (typeof profile !== 'string' || profile === '') return 'has no "profile"';
  if (!isTestName(test)) return 'has no name of a test as "test"';
  if (!isFullHash(good) || !isFullHash(bad)) return 'has no two commits of 40 hex digits as "good" and "bad"';
  const isCount = Number.isInteger(ways) && (ways as number) >= 1 && (ways as number) <= MOST_WAYS;
  return isCount ? null : `has no number from 1 to ${MOST_WAYS} as "ways"`;
}

const dayOf = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10);

/** Returns how many bisects may still begin today. */
export async function turnsLeft(store: Pick<Store, 'list'>, nowMs: number): Promise<number> {
  return MOST_A_DAY - (await store.list(records.bisects(dayOf(nowMs)))).length;
}

/** Takes one of the day's turns for a bisect. A second attempt keeps the first one's. Throws BISECT_LIMIT. */
async function takeTurn(
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
