import { tryKey } from '../../engine/cache/try-key.js';
import { fail, SlipwayFailure, type Problem } from '../../model/failure.js';
import { type FailedTry, records } from '../../model/run-folder.js';
import { sha256 } from '../sha256.js';
import type { Made, Work } from '../work.js';
import { failedBefore } from './errors.js';

type Build = Work<'buildWheel'>;
const TOLD = 'failed-before';

/** Builds, and remembers a failure of the product. An earlier failure of the same build is thrown again as FAILED_BEFORE,
 * once in a run: a retry builds. Without `retryFailed` every run builds. */
export async function unlessFailedBefore(work: Build, build: () => Promise<Made>): Promise<Made> {
  const { retryFailedMs } = work.step.params;
  if (retryFailedMs === undefined) return build();
  const folder = records.failedTries(work.step.id, tryKey(work.plan, work.step, sha256));
  const before = await newest(work, folder);
  const isKnown = before !== null && before.run !== work.run && Date.now() - Date.parse(before.at) < retryFailedMs;
  if (isKnown && (await work.recall(TOLD)) === null) {
    await work.remember(TOLD, before.at);
    throw fail(failedBefore(work.step.id, before, new Date(Date.parse(before.at) + retryFailedMs)));
  }
  try {
    return await build();
  } catch (error) {
    if (error instanceof SlipwayFailure && error.first.class === 'product') await note(work, folder, error.first);
    throw error;
  }
}

async function newest({ store }: Build, folder: string): Promise<FailedTry | null> {
  const last = (await store.list(folder)).toSorted().at(-1);
  return last === undefined ? null : store.read<FailedTry>(last);
}

async function note({ store, run, step }: Build, folder: string, problem: Problem): Promise<void> {
  const at = new Date().toISOString();
  await store.create<FailedTry>(`${folder}${at}`, { run, step: step.id, at, problem });
}
