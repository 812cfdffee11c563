import { fail, SlipwayFailure } from '../../model/failure.js';
import { canonical } from '../../model/json.js';
import { recordDamaged } from './errors.js';

/** Protects readers' memory against other writers of the store. Slipway's longest record, an audit, has half a
 * megabyte. */
export const MOST_RECORD_BYTES = 64 * 2 ** 20;

/** Parses a record. Throws RECORD_DAMAGED, also for `null`, which would read as absent.
 * @param place for messages */
export function parseRecord<T>(text: string, name: string, place: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw fail(recordDamaged(name, place), error);
  }
  if (value === null) throw fail(recordDamaged(name, place));
  return value as T;
}

/** True if a record still has the content that its reader saw.
 * @param seen undefined: the record was unreadable */
export async function isWhatWasSeen(read: () => Promise<unknown>, seen: object | undefined): Promise<boolean> {
  try {
    const now = await read();
    return seen !== undefined && canonical(now) === canonical(seen);
  } catch (error) {
    if (error instanceof SlipwayFailure) return seen === undefined;
    throw error;
  }
}
