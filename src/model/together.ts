import { featureNameTaken } from './errors.js';
import { fail } from './failure.js';

type Tables = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
type Field<L, K extends string> = {
  readonly [N in keyof L]: L[N] extends Readonly<Record<K, infer Rows>> ? Rows : Readonly<Record<never, never>>;
};
/** All types of a union at once. */
export type Intersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer All) => void
  ? All
  : never;
/** Rows of all owners. */
export type Together<T extends Tables> = [T[keyof T]] extends [never] ? object : Intersection<T[keyof T]>;

/** Merges tables of the core and of features. Throws FEATURE_NAME_TAKEN if two owners have a row of one name.
 * @param what a row, for the problem: `kind`
 * @param tables by owner: `core`, or the name of a feature */
export function together<const T extends Tables>(what: string, tables: T): Together<T> {
  const owners = new Map<string, string>();
  for (const [owner, table] of Object.entries(tables))
    for (const name of Object.keys(table)) {
      const other = owners.get(name);
      if (other !== undefined) throw fail(featureNameTaken(what, name, other, owner));
      owners.set(name, owner);
    }
  return Object.assign({}, ...Object.values(tables)) as Together<T>;
}

/** Returns one field of each feature of a list, by the feature's name. Empty for a feature without it. */
export const fieldOf = <const L extends Readonly<Record<string, object>>, K extends string>(list: L, field: K) =>
  Object.fromEntries(
    Object.entries(list).map(([name, feature]) => [name, (feature as Readonly<Record<string, unknown>>)[field] ?? {}]),
  ) as Field<L, K>;
