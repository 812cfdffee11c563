import type { Row } from './problem.js';

/** Returns a function for each row, which makes what it says: `problems.tooBig(spot, bytes)` of the row `tooBig: (bytes) => […]`.
 * @param make makes it of a place and a row */
export const catalogue = <Place, Made, T extends Readonly<Record<string, (...about: never[]) => Row>>>(
  make: (place: Place, ...row: Row) => Made,
  rows: T,
) =>
  Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [
      name,
      (place: Place, ...about: never[]) => make(place, ...row(...about)),
    ]),
  ) as unknown as { readonly [K in keyof T]: (place: Place, ...about: Parameters<T[K]>) => Made };
