import { setTimeout as wait } from 'node:timers/promises';
import type { Pointers } from '../../activities/ports.js';
import { fail } from '../../model/failure.js';
import { recordPath } from '../store/names.js';
import type { Bucket } from './bucket.js';
import { readDocument, writeDocument } from './documents.js';
import { pointerBusy } from './errors.js';

const MOST_TRIES = 200;
const LONGEST_WAIT_MS = 200;

/** Pointers at `pointers/<name>.json`, moved by compare-and-swap (`If-Match`). */
export function createPointers(bucket: Bucket): Pointers {
  const pathOf = (name: string): string => `pointers/${recordPath(name)}`;
  return {
    read: async <T>(name: string) => (await readDocument<T>(bucket, pathOf(name), name))?.value ?? null,
    move: async (name, value, wins) => {
      for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
        const now = await readDocument<typeof value>(bucket, pathOf(name), name);
        if (now !== null && !wins(now.value)) return { moved: false, value: now.value };
        // If another writer was first, the next round applies the rule to its value.
        const after = await writeDocument(bucket, pathOf(name), name, value, now);
        if (after.ours) return { moved: true, value };
        await wait(Math.random() * Math.min(LONGEST_WAIT_MS, 2 ** tries));
      }
      throw fail(pointerBusy(name, MOST_TRIES));
    },
  };
}
