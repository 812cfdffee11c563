import { raydepsets } from './raydepsets/index.js';
import { ray } from './ray/index.js';

export type { At, Imported, ImportedEntry, Importer, Setting } from './importer.js';
export * from './asks.js';

/** Importers by the word behind `import:`. */
export const IMPORTERS = { raydepsets, ray } as const satisfies Record<string, unknown>;
