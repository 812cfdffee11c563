import { fail } from '../../model/failure.js';
import type { Work } from '../work.js';
import { otherBytes } from './errors.js';
import { look, readBack, type Looked, type Looking, type Reading } from './look.js';
import type { Item, PublishTarget } from './ports.js';

type Uploading = Pick<Work<'publishArtifacts'>, 'effect' | 'signal' | 'step'>;

/** Uploads missing items: each that replaces other bytes alone, right after its name was made free, the others together.
 * @param looking makes a fresh look for each removal: the first one may be minutes old */
export async function uploadMissing(
  work: Uploading,
  target: PublishTarget,
  missing: readonly Looked[],
  looking: () => Looking,
  reading: Omit<Reading, 'signal'>,
): Promise<readonly Looked[]> {
  const { name } = work.step.params.target;
  const sent: Looked[] = [];
  const free: Item[] = [];
  for (const one of missing) {
    const { item, replaces } = one;
    if (replaces === undefined) free.push(item);
    else if (await makeFree(work, target, { item, replaces }, looking()))
      sent.push(...(await uploadItems(work, target, name, [item], reading)));
    else sent.push({ ...one, verdict: 'same' });
  }
  if (free.length > 0) sent.push(...(await uploadItems(work, target, name, free, reading)));
  return sent;
}

/** Removes other bytes if they are still those that were seen and still give way. Returns false if the item is there
 * already. Throws OTHER_BYTES. */
async function makeFree(
  { effect, signal, step }: Uploading,
  target: PublishTarget,
  { item, replaces }: Required<Pick<Looked, 'item' | 'replaces'>>,
  looking: Looking,
): Promise<boolean> {
  const { name } = step.params.target;
  signal.throwIfAborted();
  const [now] = await look(target, name, [item], looking);
  const bytes = now!.replaces?.bytes;
  if (bytes === undefined) return now!.verdict === 'absent';
  if (bytes !== replaces.bytes) throw fail(otherBytes(name, item.name, bytes, item.artifact.digest));
  signal.throwIfAborted();
  await effect(async () => target.replace?.(item, bytes));
  return true;
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
