import type { z } from 'zod';
import type { frame, Retries } from '../model/schema/frame.js';
import type { Command } from '../model/schema/sections/builds.js';
import { RETRIED_SECTIONS } from '../model/schema/run-retries.js';
import type { ReleaseFile } from '../model/schema/release-file.js';

export interface Entry {
  readonly packages?: readonly string[];
  readonly tools?: readonly string[];
  readonly after?: readonly string[];
  readonly retry?: z.infer<typeof Retries> | undefined;
  readonly parallel?: number | undefined;
  readonly onFailure?: 'hold' | 'tell' | 'stop' | undefined;
  readonly when?: z.infer<typeof frame.when>;
  readonly source?: string | undefined;
  readonly needs?: readonly string[];
  readonly outputs?: readonly string[];
  readonly inputs?: 'optional' | undefined;
  readonly artifacts?: readonly string[];
  readonly result?: string | undefined;
  readonly artifact?: unknown;
}

/** Sections whose entries build, test and run. What is published is the point of a release. */
export const MADE_SECTIONS: readonly string[] = RETRIED_SECTIONS.filter((section) => section !== 'publish');

/** Returns the entries of a section by name, also those of a feature. Empty for a section without them. */
export const entriesOf = (release: ReleaseFile, section: string): Readonly<Record<string, Entry>> =>
  (release as unknown as Readonly<Record<string, Readonly<Record<string, Entry>> | undefined>>)[section] ?? {};

/** Returns the commands of `steps:` by name. Imports and entries of other forms were replaced before. */
export const commandsOf = (release: ReleaseFile): readonly (readonly [name: string, command: Command])[] =>
  Object.entries(release.steps).flatMap(([name, one]) => ('run' in one ? [[name, one] as const] : []));
