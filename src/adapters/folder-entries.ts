import { type Dirent, readdirSync } from 'node:fs';

/** Returns the entries of a folder. Empty if it cannot be read. */
export function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

export const namesIn = (folder: string): readonly string[] => entriesIn(folder).map(({ name }) => name);
