import type { z } from 'zod';
import type { Service } from '../outage.js';
import type { RECEIVER_KINDS } from '../policy/place.js';

/** What a feature's `schemas.ts` exports. Its functions take parameters as the schema beside them describes. Types that refer to the
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
