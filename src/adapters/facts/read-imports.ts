import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnyAsk } from '../../importers/index.js';
import { home } from '../home.js';
import { makePrivate } from '../private-home.js';
import { readJsonLater, keepJson } from '../json-file.js';

/** Results of imports, by the digest of the texts: a second plan parses nothing. It stays in the home, because whoever writes a shared
 * store must not decide what a plan tests. */
export interface ReadImports {
  /** All questions that the first answers led to. */
  asks(key: string): Promise<readonly AnyAsk[] | null>;
  kept(key: string): Promise<object | null>;
  keep(
    asks: { readonly key: string; readonly asks: readonly AnyAsk[] },
    kept: { readonly key: string; readonly kept: object },
  ): Promise<void>;
}

/** Files that are left when another is written. */
const MOST_FILES = 64;

export function openReadImports(folder = join(home(), 'imports')): ReadImports {
  // The first answers may be all of them: both names can have one key.
  const path = (what: 'asks' | 'kept', key: string): string =>
    join(folder, `${what}-${key.replace('sha256:', '')}.json`);
  return {
    asks: (key) => readJsonLater<readonly AnyAsk[]>(path('asks', key)),
    kept: (key) => readJsonLater<object>(path('kept', key)),
    async keep({ key: asksKey, asks }, { key, kept }) {
      makePrivate(home());
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await removeOldest(folder);
      await keepJson(path('asks', asksKey), asks);
      await keepJson(path('kept', key), kept);
    },
  };
}

async function removeOldest(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.length < MOST_FILES) return;
  const times = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? 0 })),
  );
  const old = times.sort((a, b) => a.at - b.at).slice(0, names.length - MOST_FILES / 2);
  await Promise.all(old.map(({ name }) => rm(join(folder, name), { force: true })));
}
