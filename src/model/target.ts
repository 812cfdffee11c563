import type { Infer } from './schema/infer.js';
import type * as schema from './schema/target.js';

/** A registry to publish to. */
export type Target = Infer<typeof schema.Target>;
export type TargetExtra = NonNullable<Target['extra']>;
