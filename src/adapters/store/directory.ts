import { resolve } from 'node:path';
import type { Store } from '../../activities/ports.js';
import { createObjects } from './objects.js';
import { createRecords } from './records.js';

/** A store in a folder, shared by all processes of this machine. Safe against any of them dying at any time. */
export function createDirectoryStore(folder: string): Store {
  const root = resolve(folder);
  return { ...createObjects(root), ...createRecords(root) };
}
