import type { Problem } from '../../model/failure.js';

export interface Halved<T> {
  /** The items without a problem. */
  readonly sound: readonly T[];
  readonly problems: readonly Problem[];
}

/** Tries items together. After a failure it tries each half, down to single items, so that every broken item is named.
 * @param fails tries some items. Returns the problem of their failure. Null if they pass */
export async function halved<T>(
  items: readonly T[],
  fails: (some: readonly T[]) => Promise<Problem | null>,
): Promise<Halved<T>> {
  if (items.length === 0) return { sound: [], problems: [] };
  const problem = await fails(items);
  if (problem === null) return { sound: items, problems: [] };
  if (items.length === 1) return { sound: [], problems: [problem] };
  const middle = Math.ceil(items.length / 2);
  const first = await halved(items.slice(0, middle), fails);
  const second = await halved(items.slice(middle), fails);
  return { sound: [...first.sound, ...second.sound], problems: [...first.problems, ...second.problems] };
}
