import { provedRecord } from '../../engine/ledger/entry.js';
import { SlipwayFailure, type Problem } from '../../model/failure.js';
import type { Target } from '../../model/target.js';
import { freeMiB } from '../prove-queue/measure.js';
import type { Work } from '../work.js';
import { diskOfTargetShort, fileTooLarge, releaseTooLarge } from './errors.js';
import type { PublishPorts, Item, PublishTarget } from './ports.js';

const MIB = 2 ** 20;
/** Reserve for the registry's other files: checksums, indexes, logs. */
const SPARE_BYTES = 64 * MIB;

/** A login costs a server more than a lookup, and a release may have hundreds of steps for one target. */
const PROOF_HOLDS_MS = 10 * 60_000;

/** Repeats the proof of the start with the actual items, since days may have passed at a gate. All steps of the run
 * share a proof for ten minutes. */
export async function proofs(
  work: Pick<Work, 'plan' | 'run' | 'store' | 'step'>,
  { proofHoldsMs = PROOF_HOLDS_MS }: Pick<PublishPorts, 'proofHoldsMs'>,
  target: PublishTarget,
  to: Target,
  items: readonly Item[],
): Promise<readonly Problem[]> {
  const record = provedRecord(work.run, to.name, Math.floor(Date.now() / Math.max(1, proofHoldsMs)));
  const sizes = judgeSizes(to, items);
  if ((await work.store.read(record)) !== null) return sizes;
  const { name, version } = work.plan.release;
  const refused = await problemsIn(() => target.prove(name, version, [], items));
  if (refused.length === 0) await work.store.create(record, { step: work.step.id });
  return [...refused, ...sizes];
}

/** Checks the disk of this worker's home, which targets of `slipway up` use. */
export async function roomFor(
  { folder }: Pick<Work, 'folder'>,
  absent: readonly { readonly to: Target; readonly item: Item }[],
): Promise<readonly Problem[]> {
  const here = absent.filter(({ to }) => to.address.startsWith('service:')).map(({ item }) => item);
  return here.length === 0 ? [] : judgeRoom(here, await freeMiB(folder));
}

/** Returns the problems of a coded failure. Other errors are thrown on. */
export async function problemsIn(asked: () => Promise<unknown>): Promise<readonly Problem[]> {
  try {
    await asked();
    return [];
  } catch (error) {
    if (error instanceof SlipwayFailure) return error.problems;
    throw error;
  }
}

/** Returns problems with items that exceed the limits of the profile. Images consist of layers, so only their sum
 * counts. */
function judgeSizes({ name, limits = {} }: Target, items: readonly Item[]): readonly Problem[] {
  const { fileMiB = Infinity, totalMiB = Infinity } = limits;
  const files = items.filter(({ artifact }) => artifact.kind !== 'image' && artifact.size > fileMiB * MIB);
  const bytes = bytesOf(items);
  return [
    ...files.map((item) => fileTooLarge(name, item.name, item.artifact.size, fileMiB)),
    ...(bytes > totalMiB * MIB ? [releaseTooLarge(name, bytes, totalMiB)] : []),
  ];
}

/** Returns a problem if this machine's disk is too small for items of its own targets. */
function judgeRoom(items: readonly Item[], freeMiB: number): readonly Problem[] {
  const bytes = bytesOf(items);
  return bytes > 0 && bytes + SPARE_BYTES > freeMiB * MIB ? [diskOfTargetShort(bytes, freeMiB)] : [];
}

/** Total size; bytes with several names count once. */
const bytesOf = (items: readonly Item[]): number =>
  [...new Map(items.map(({ artifact }) => [artifact.digest, artifact.size])).values()].reduce(
    (sum, one) => sum + one,
    0,
  );
