import type { Pointers, Store } from '../../activities/ports.js';

const DIGITS = 9;

/** Pointers over any store. Each move creates the record with the next number once, so only one of two movers
 * succeeds. */
export function createPointers(store: Pick<Store, 'create' | 'read' | 'list'>): Pointers {
  const folder = (name: string): string => `pointers/${name}/`;
  const last = async (name: string): Promise<number> =>
    Number((await store.list(folder(name))).at(-1)?.slice(folder(name).length) ?? 0);
  const at = (name: string, number: number): string => folder(name) + String(number).padStart(DIGITS, '0');
  return {
    read: async <T>(name: string) => {
      const number = await last(name);
      return number === 0 ? null : store.read<T>(at(name, number));
    },
    move: async (name, value, wins) => {
      for (let number = await last(name); ; number += 1) {
        const now = number === 0 ? null : await store.read<typeof value>(at(name, number));
        if (now !== null && !wins(now)) {
          // Another writer may have moved the pointer since; only the last value counts.
          if ((await last(name)) === number) return { moved: false, value: now };
          continue;
        }
        if ((await store.create(at(name, number + 1), value)).created) return { moved: true, value };
      }
    },
  };
}
