import { raydepsets } from './raydepsets/index.js';
import { ray } from './ray/index.js';
import { wheelList } from './wheel-list/index.js';

export type { At, Distributions, Imported, Importer, ImportPlatform, Setting, Tried } from './importer.js';
export * from './asks.js';
export { openWork } from './work.js';

/** Importers by the word behind `import:`. */
export const IMPORTERS = { raydepsets, ray, 'wheel-list': wheelList } as const satisfies Record<string, unknown>;
