import type * as schema from './schema/build-params.js';
import type { Infer } from './schema/infer.js';

export type PlatformFacts = Infer<typeof schema.Platform>;
export type Cross = Infer<typeof schema.Cross>;
