import type { z } from 'zod';

type Frozen<T> = T extends (infer One)[]
  ? readonly Frozen<One>[]
  : T extends object
    ? string extends keyof T
      ? Readonly<T>
      : { readonly [K in keyof T]: Frozen<T[K]> }
    : T;

/** The type of a schema's output, read-only down to the values of tables with any keys. Other folders import schemas as types
 * alone, so that no schema library is loaded. */
export type Infer<Schema extends z.ZodType> = Frozen<z.infer<Schema>>;
