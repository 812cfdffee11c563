import { projectOf } from '../../engine/index/listed.js';
import { isDigest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { nameFault } from '../../model/file-name.js';
import { MOST_CANDIDATES, ORDER_HOLDS_MS, type PruneOrder } from '../../model/index-prune.js';
import { parseWheelName } from '../../model/python/file-name.js';
import type { Store } from '../ports.js';
import { orderOld, orderUnknown } from './errors.js';

/** Clocks of two machines may differ by this much. */
const AHEAD_MS = 300_000;

/** Reads an order to prune. Throws RECORD_NOT_PROVED, PRUNE_ORDER_UNKNOWN, PRUNE_REVIEW_STALE.
 * @param store verifies that the home's control key signed the record */
export async function readOrder(store: Pick<Store, 'read'>, record: string, nowMs: number): Promise<PruneOrder> {
  const order = await store.read<PruneOrder>(record);
  if (order === null || order.kind !== 'prune order' || !isSound(order)) throw fail(orderUnknown(record));
  const ageMs = nowMs - Date.parse(order.at);
  if (!(ageMs <= ORDER_HOLDS_MS && ageMs >= -AHEAD_MS)) throw fail(orderOld(record, order.at));
  return order;
}

/** Whether all names are those of wheels: they become paths. */
const isSound = ({ remove, platforms, graceMs, target }: PruneOrder): boolean =>
  target.kind === 'simple' &&
  Number.isSafeInteger(graceMs) &&
  graceMs >= 0 &&
  remove.length <= MOST_CANDIDATES &&
  [...platforms, ...remove.map(({ platform }) => platform)].every((name) =>
    /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name),
  ) &&
  remove.every(({ file, digest }) => isWheel(file) && isDigest(digest));

const isWheel = (file: string): boolean =>
  parseWheelName(file) !== null && nameFault(file) === null && projectOf(file) !== '';
