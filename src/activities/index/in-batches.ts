/** Items in work at once. */
const AT_ONCE = 64;

/** Calls `act` for all, some at once. Results are in the order of `all`. */
export async function inBatches<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (let at = 0; at < all.length; at += AT_ONCE)
    results.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(act))));
  return results;
}
