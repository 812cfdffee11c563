import type { Problem } from './failure.js';

/** Code, message and next step of a problem. */
type Row = readonly [code: string, message: string, next: string];

/** Returns a function for each row, which makes the problem: `problems.tooBig(spot, bytes)` of the row `tooBig: (bytes) => […]`.
 * @param make makes a problem of a place and a row */
export const catalogue = <Place, T extends Readonly<Record<string, (...about: never[]) => Row>>>(
  make: (place: Place, ...row: Row) => Problem,
  rows: T,
) =>
  Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [
      name,
      (place: Place, ...about: never[]) => make(place, ...row(...about)),
    ]),
  ) as unknown as { readonly [K in keyof T]: (place: Place, ...about: Parameters<T[K]>) => Problem };
