import { resolve } from 'node:path';
import type { Store } from '../../activities/ports.js';
import { createObjects } from './objects.js';
import { createRecords } from './records.js';

/** A step may need five thousand files; a process has a thousand file descriptors. */
const FILES_AT_ONCE = 128;

/** A store in a folder, shared by all processes of this machine. Any process may die at any time without damage. */
export function createDirectoryStore(folder: string): Store {
  const root = resolve(folder);
  const [objects, records, oneOf] = [createObjects(root), createRecords(root), atMost(FILES_AT_ONCE)];
  return {
    ...objects,
    ...records,
    create: (name, value) => oneOf(() => records.create(name, value)),
    read: (name) => oneOf(() => records.read(name)),
    fetch: (digest, path) => oneOf(() => objects.fetch(digest, path)),
    sound: (digest) => oneOf(() => objects.sound(digest)),
  };
}

/** Limits concurrent calls to `count`; others queue. A call must not wait for another one, or both may block. */
export function atMost(count: number): <T>(act: () => Promise<T>) => Promise<T> {
  const line: (() => void)[] = [];
  let free = count;
  return async (act) => {
    if (free > 0) free--;
    else await new Promise<void>((begin) => line.push(begin));
    try {
      return await act();
    } finally {
      const next = line.shift();
      if (next) next();
      else free++;
    }
  };
}
