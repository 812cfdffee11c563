const last = new Map<string, Promise<unknown>>();

/** Runs tasks that share something of this worker one after the other, also after a failed one.
 * @param what a folder, or the name of an image */
export async function inTurn<T>(what: string, run: () => Promise<T>): Promise<T> {
  const before = last.get(what) ?? Promise.resolve();
  const mine = before.then(run, run);
  last.set(what, mine);
  try {
    return await mine;
  } finally {
    if (last.get(what) === mine) last.delete(what);
  }
}
