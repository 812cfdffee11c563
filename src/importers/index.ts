import { raydepsets } from './raydepsets/index.js';
import { ray } from './ray/index.js';

export type { Ask, At, Imported, ImportedEntry, Importer, ImportFacts, Setting } from './importer.js';

/** Importers by the word behind `import:`. */
export const IMPORTERS = { raydepsets, ray } as const satisfies Record<string, unknown>;
