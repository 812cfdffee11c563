const last = new Map<string, Promise<unknown>>();

/** Runs tasks that share a folder of this worker one after the other, also after a failed one. */
export async function inTurn<T>(folder: string, run: () => Promise<T>): Promise<T> {
  const before = last.get(folder) ?? Promise.resolve();
  const mine = before.then(run, run);
  last.set(folder, mine);
  try {
    return await mine;
  } finally {
    if (last.get(folder) === mine) last.delete(folder);
  }
}
