import { tryKey } from '../../engine/cache/key-parts.js';
import { fail } from '../../model/failure.js';
import { type FailedTry, records } from '../../model/run-folder.js';
import { sha256 } from '../sha256.js';
import type { Made, Work } from '../work.js';
import { failedBefore } from './errors.js';

const TOLD = 'failed-before';

/** Builds, and remembers a failure of the product. An earlier failure of the same build is thrown again as FAILED_BEFORE,
 * once in a run: a retry builds, and what passes then did not fail. Without `retryFailedMs` every run builds. */
export async function unlessFailedBefore(work: Work, build: () => Promise<Made>): Promise<Made> {
  const { retryFailedMs } = work.step.params as { readonly retryFailedMs?: number };
  if (retryFailedMs === undefined) return build();
  const folder = records.failedTries(work.step.id, tryKey(work.plan, work.step, sha256));
  const before = await newest(work, folder);
  const until = before === null || before.passed ? 0 : Date.parse(before.at) + retryFailedMs;
  if (before !== null && before.run !== work.run && Date.now() < until && (await work.recall(TOLD)) === null) {
    await work.remember(TOLD, before.at);
    throw fail(failedBefore(work.step.id, before, new Date(until)));
  }
  try {
    const made = await build();
    if (before !== null) await note(work, folder, { problem: before.problem, passed: true });
    return made;
  } catch (error) {
    const problem = work.judged(error);
    if (problem.class === 'product') await note(work, folder, { problem });
    throw error;
  }
}

async function newest({ store }: Work, folder: string): Promise<FailedTry | null> {
  const last = (await store.list(folder)).toSorted().at(-1);
  return last === undefined ? null : store.read<FailedTry>(last);
}

async function note(
  { store, run, step }: Work,
  folder: string,
  end: Pick<FailedTry, 'problem' | 'passed'>,
): Promise<void> {
  const at = new Date().toISOString();
  await store.create<FailedTry>(`${folder}${at}`, { run, step: step.id, at, ...end });
}
