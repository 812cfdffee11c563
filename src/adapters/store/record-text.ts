import { fail, SlipwayFailure } from '../../model/failure.js';
import { canonical } from '../../model/json.js';
import { recordDamaged } from './errors.js';

/** The longest record of ours, the words of an audit, has half a megabyte. Whoever may write the store would fill the memory of readers. */
export const MOST_RECORD_BYTES = 64 * 2 ** 20;

/** @param place for people. Throws RECORD_DAMAGED; no record is ever `null`, which would read as none. */
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

/** Whether a record still says what its reader saw; absent: that it could not be read. */
export async function isWhatWasSeen(read: () => Promise<unknown>, seen: object | undefined): Promise<boolean> {
  try {
    const now = await read();
    return seen !== undefined && canonical(now) === canonical(seen);
  } catch (error) {
    if (error instanceof SlipwayFailure) return seen === undefined;
    throw error;
  }
}
