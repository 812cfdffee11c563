/** Calls `act` with a limit that doubles until it answers something other than null. For tests of limits: a busy machine may use
 * up a short limit before the program has begun, and then the try shows nothing. */
export async function withMoreTime<T>(firstMs: number, act: (limitMs: number) => Promise<T | null>): Promise<T> {
  for (let limitMs = firstMs; ; limitMs *= 2) {
    const shown = await act(limitMs);
    if (shown !== null) return shown;
  }
}
