import type { Store } from './ports.js';

/** Returns the number of the last record of a folder whose records are named by numbers. 0: it is empty. */
export async function lastNumber(store: Pick<Store, 'list'>, folder: string): Promise<number> {
  return Number((await store.list(folder)).at(-1)?.slice(folder.length) ?? 0);
}

/** Stores a value under the next free number. Returns that number.
 * @param name of the folder, or of the record with a number */
export async function keepNext(
  store: Pick<Store, 'list' | 'create'>,
  name: (no?: number) => string,
  value: object,
): Promise<number> {
  for (let no = (await lastNumber(store, name())) + 1; ; no += 1)
    if ((await store.create(name(no), value)).created) return no;
}
