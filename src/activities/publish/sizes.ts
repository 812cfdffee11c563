import type { Problem } from '../../model/failure.js';
import type { Target } from '../../model/target.js';
import { diskOfTargetShort, fileTooLarge, releaseTooLarge } from './errors.js';
import type { Item } from './target.js';

const MIB = 2 ** 20;
/** Reserve for the registry's other files: checksums, indexes, logs. */
const SPARE_BYTES = 64 * MIB;

/** Returns problems with items that exceed the limits of the profile. Images consist of layers, so only their sum
 * counts. */
export function judgeSizes({ name, limits = {} }: Target, items: readonly Item[]): readonly Problem[] {
  const { fileMiB = Infinity, totalMiB = Infinity } = limits;
  const files = items.filter(({ artifact }) => artifact.kind !== 'image' && artifact.size > fileMiB * MIB);
  const bytes = bytesOf(items);
  return [
    ...files.map((item) => fileTooLarge(name, item.name, item.artifact.size, fileMiB)),
    ...(bytes > totalMiB * MIB ? [releaseTooLarge(name, bytes, totalMiB)] : []),
  ];
}

/** Returns a problem if this machine's disk is too small for items of its own targets. */
export function judgeRoom(items: readonly Item[], freeMiB: number): readonly Problem[] {
  const bytes = bytesOf(items);
  return bytes > 0 && bytes + SPARE_BYTES > freeMiB * MIB ? [diskOfTargetShort(bytes, freeMiB)] : [];
}

/** Total size; bytes with several names count once. */
const bytesOf = (items: readonly Item[]): number =>
  [...new Map(items.map(({ artifact }) => [artifact.digest, artifact.size])).values()].reduce(
    (sum, one) => sum + one,
    0,
  );
