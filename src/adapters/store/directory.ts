import { resolve } from 'node:path';
import type { Store } from '../../activities/ports.js';
import { atMost } from './at-most.js';
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
