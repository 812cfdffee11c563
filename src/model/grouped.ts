/** Items with the same key, in their order. */
export type Groups<K, T> = ReadonlyMap<K, readonly [T, ...T[]]>;

/** Groups items by key: `grouped(wheels, ({ platform }) => platform)`. Keys are in the order of their first items. */
export function grouped<K, T>(all: Iterable<T>, keyOf: (one: T) => K): Groups<K, T> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return groups;
}

/** Counts equal items, in the order of the first ones. */
export const tally = <K>(all: Iterable<K>): ReadonlyMap<K, number> =>
  new Map([...grouped(all, (one) => one)].map(([key, some]) => [key, some.length]));
