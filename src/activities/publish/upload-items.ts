import type { Work } from '../work.js';
import { readBack, type Looked, type Reading } from './look.js';
import { rememberReplaced } from './publishers.js';
import type { Item, PublishTarget } from './target.js';

/** Uploads missing items together. If some replace other bytes, each is uploaded alone, right after its name was made
 * free: readers miss one file at a time. */
export async function uploadMissing(
  work: Pick<Work<'publishArtifacts'>, 'effect' | 'signal' | 'step' | 'remember' | 'recall'>,
  target: PublishTarget,
  missing: readonly Looked[],
  reading: Omit<Reading, 'signal'>,
): Promise<readonly Looked[]> {
  const { name } = work.step.params.target;
  const alone = missing.some(({ replaces }) => replaces !== undefined);
  const batches = alone ? missing.map((one) => [one]) : missing.length > 0 ? [missing] : [];
  const sent: Looked[] = [];
  for (const batch of batches) {
    for (const { item, replaces } of batch)
      if (replaces !== undefined) {
        await rememberReplaced(work, item, replaces);
        await work.effect(async () => target.replace?.(item));
      }
    sent.push(
      ...(await uploadItems(
        work,
        target,
        name,
        batch.map(({ item }) => item),
        reading,
      )),
    );
  }
  return sent;
}

/** Uploads items and reads them back. An upload that fails is judged by what the target then shows. */
export async function uploadItems(
  work: Pick<Work, 'effect' | 'signal'>,
  target: PublishTarget,
  name: string,
  items: readonly Item[],
  reading: Omit<Reading, 'signal'>,
): Promise<readonly Looked[]> {
  const asked = await work
    .effect(() => target.upload(items))
    .then(
      () => null,
      (error: unknown) => error ?? new Error('rejected'),
    );
  const { signal } = work;
  signal.throwIfAborted();
  return readBack(target, name, items, asked, { ...reading, signal });
}
