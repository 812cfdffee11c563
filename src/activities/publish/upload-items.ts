import type { Work } from '../work.js';
import { readBack, type Looked, type Reading } from './look.js';
import type { Item, PublishTarget } from './target.js';

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
