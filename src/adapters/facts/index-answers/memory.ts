import { join } from 'node:path';
import { home } from '../../home.js';
import { makePrivate } from '../../private-home.js';
import type { Page } from './pip.js';
import { readJsonLater, keepJson } from '../../json-file.js';

/** Versions that a record remembers; the oldest are forgotten first. */
export const MOST_VERSIONS = 50;

/** The last answer of one index for one project. */
export interface Remembered {
  /** Milliseconds since 1970. Null: it never answered. */
  readonly askedAtMs: number | null;
  readonly etag: string | null;
  /** Versions that were asked for, the latest last. */
  readonly versions: readonly string[] | 'all';
  /** Null: the index does not have the project. */
  readonly page: Page | null;
  /** Since when it does not answer, in milliseconds since 1970. Null: the last question was answered. */
  readonly silentSinceMs: number | null;
}

/** Answers of indexes in the home. They hold no addresses. A damaged record counts as absent. */
export interface Memory {
  /** Identities of the indexes that these settings of pip name. */
  indexes(settings: string): Promise<readonly string[] | null>;
  keepIndexes(settings: string, indexes: readonly string[]): Promise<void>;
  read(index: string, project: string, isAll: boolean): Promise<Remembered | null>;
  keep(index: string, project: string, remembered: Remembered): Promise<void>;
}

export function openMemory(folder = join(home(), 'index-answers')): Memory {
  const settingsFile = (settings: string): string => join(folder, `indexes-${settings}.json`);
  const file = (index: string, project: string, isAll: boolean): string =>
    join(folder, index, `${project}${isAll ? '.all' : ''}.json`);
  return {
    indexes: async (settings) =>
      (await readJsonLater<{ indexes: readonly string[] }>(settingsFile(settings)))?.indexes ?? null,
    keepIndexes: (settings, indexes) => write(settingsFile(settings), { indexes }),
    read: (index, project, isAll) => readJsonLater(file(index, project, isAll)),
    keep: (index, project, remembered) => write(file(index, project, remembered.versions === 'all'), remembered),
  };
}

async function write(path: string, value: object): Promise<void> {
  makePrivate(home());
  await keepJson(path, value);
}
