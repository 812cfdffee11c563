import type * as schema from './schema/command.js';
import type { Infer } from './schema/infer.js';

export type PlatformFacts = Infer<typeof schema.Platform>;
export type Cross = Infer<typeof schema.Cross>;
