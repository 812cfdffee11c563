/** Calls a function once for each argument. */
export function remembered<A, T>(make: (of: A) => T): (of: A) => T {
  const known = new Map<A, T>();
  return (of) => {
    const before = known.get(of);
    if (before !== undefined || known.has(of)) return before as T;
    const made = make(of);
    known.set(of, made);
    return made;
  };
}
