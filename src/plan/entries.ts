import type { z } from 'zod';
import type { Retries } from '../model/schema/frame.js';
import type { ReleaseFile } from '../model/schema/release-file.js';

interface Entry {
  readonly packages?: readonly string[];
  readonly retry?: z.infer<typeof Retries> | undefined;
  readonly parallel?: number | undefined;
  readonly onFailure?: 'hold' | 'tell' | 'stop' | undefined;
}

/** Returns the entries of a section by name, also those of a feature. Empty for a section without them. */
export const entriesOf = (release: ReleaseFile, section: string): Readonly<Record<string, Entry>> =>
  (release as unknown as Readonly<Record<string, Readonly<Record<string, Entry>> | undefined>>)[section] ?? {};
