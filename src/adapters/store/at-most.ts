/** Limits concurrent calls to `count`; others queue. A call must not wait for another one, or both may block. */
export function atMost(count: number): <T>(act: () => Promise<T>) => Promise<T> {
  const line: (() => void)[] = [];
  let free = count;
  return async (act) => {
    if (free > 0) free--;
    else await new Promise<void>((begin) => line.push(begin));
    try {
      return await act();
    } finally {
      const next = line.shift();
      if (next) next();
      else free++;
    }
  };
}
