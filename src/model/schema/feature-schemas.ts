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
