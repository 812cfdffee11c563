import type { z } from 'zod';
import type { Service } from '../outage.js';
import type { RECEIVER_KINDS } from '../policy/place.js';

/** Exports of a feature's `schemas.ts`. Its functions take parameters as the schema beside them describes. Types that refer to the
 * lists of features are not used here: they would make the type of each feature circular. */
export interface FeatureSchemas {
  /** Parameters of each of its kinds. */
  readonly params?: Readonly<Record<string, z.ZodType>>;
  /** Services that a step waits for, by kind. Needed where `services` of the kind's row is not empty. */
  readonly services?: Readonly<Record<string, (params: never) => readonly Service[]>>;
  /** Names under which a target shows what a step makes, by kind. Needed where the kind ships something. */
  readonly publishes?: Readonly<Record<string, (params: never, release: Published) => readonly string[]>>;
  /** Addresses besides its own target, by kind. Needed where `reaches` of the kind's row is true. */
  readonly receivers?: Readonly<Record<string, (params: never) => readonly Reached[]>>;
  /** Its sections of a release file: a map of named entries, or anything else. Keys of an entry that becomes steps are in frame.ts. */
  readonly sections?: Readonly<Record<string, z.ZodType>>;
  /** The section after which one of its sections stands in the reference. Absent: after all others. */
  readonly after?: Readonly<Record<string, string>>;
  /** Other forms of an entry of a section, by the key that decides and its value: `tests.import.ray`, `tests.cluster`. */
  readonly entries?: Readonly<Record<`${string}.${string}`, z.ZodObject>>;
  /** Its kinds of targets. Their rows are in `kinds.ts`. */
  readonly targets?: Readonly<Record<string, FeatureTarget>>;
}

type Keys = Readonly<Record<string, z.ZodType>>;
export interface FeatureTarget {
  /** Keys of entries of `publish:` that only this kind has. Each is optional, because entries of other kinds lack it. */
  readonly entry: Keys;
  /** The same of targets in a profile. `address`, `endpoint`, `reads` and `realm` are there for all: a policy and rehearsals judge
   * an address only under these names, as `extra` hands it on. */
  readonly profile: Keys;
  /** Parameters in a plan, with `kind`. Null if there are none. */
  readonly extra: z.ZodObject | null;
  /** Returns the parameters. Null for none.
   * @param row of the profile, without keys if it has none for the target */
  plan(name: string, entry: never, row: never, context: TargetContext): object | null;
}

/** The part of the context of planning that a target may use. */
export interface TargetContext extends Published {
  /** Null if the source is an sdist. */
  readonly commit: string | null;
  text(text: string, axes: Readonly<Record<string, string>>, path: readonly (string | number)[]): string;
  needsThat(path: readonly (string | number)[], why: string, next: string, what?: 'key' | 'value'): void;
}

/** The release or pipeline that a step is planned for. */
export interface Published {
  readonly name: string;
  readonly version: string;
}

export interface Reached {
  /** Kind of a policy's row that must allow it. `read`: it gets nothing of ours. */
  readonly kind: (typeof RECEIVER_KINDS)[number] | 'read';
  /** Its place in the profile or the release file: `['clusters', 'far', 'address']`. */
  readonly path: readonly string[];
  readonly address: string;
}
