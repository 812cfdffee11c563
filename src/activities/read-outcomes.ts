import { Outcome as Schema } from '../model/schema/outcome.js';
import type { Outcome } from '../model/tests/outcome.js';
import type { Store } from './ports.js';

interface ReadOutcomes {
  /** Sorted by the name of their record, which is below the folder. */
  readonly outcomes: readonly { readonly name: string; readonly outcome: Outcome }[];
  /** Number of records that are not as Slipway writes them. They are left out. */
  readonly unreadable: number;
}

/** Reads all outcomes below a folder of records. */
export async function readOutcomes(store: Pick<Store, 'list' | 'read'>, folder: string): Promise<ReadOutcomes> {
  const names = [...(await store.list(folder))].sort();
  const read = await Promise.all(names.map(async (name) => Schema.safeParse(await store.read(name)).data));
  const outcomes = names.flatMap((name, at) => {
    const outcome = read[at];
    return outcome === undefined ? [] : [{ name: name.slice(folder.length), outcome }];
  });
  return { outcomes, unreadable: names.length - outcomes.length };
}
