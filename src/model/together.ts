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
  refuseTwins(
    what,
    Object.entries(tables).flatMap(([owner, table]) => Object.keys(table).map((name) => ({ owner, name }))),
  );
  return Object.assign({}, ...Object.values(tables)) as Together<T>;
}

/** Throws FEATURE_NAME_TAKEN if two rows have one name. */
export function refuseTwins(what: string, rows: readonly Readonly<Record<'owner' | 'name', string>>[]): void {
  for (const [at, { owner, name }] of rows.entries()) {
    const first = rows.findIndex((one) => one.name === name);
    if (first < at) throw fail(featureNameTaken(what, name, rows[first]!.owner, owner));
  }
}

/** Returns one field of each feature of a list, by the feature's name. Empty for a feature without it. */
export const fieldOf = <const L extends Readonly<Record<string, object>>, K extends string>(list: L, field: K) =>
  Object.fromEntries(
    Object.entries(list).map(([name, feature]) => [name, (feature as Readonly<Record<string, unknown>>)[field] ?? {}]),
  ) as Field<L, K>;
