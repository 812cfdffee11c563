import { importDepsets } from './raydepsets/index.js';

export type { Ask, Imported, ImportedEntry, ImportFacts } from './importer.js';

/** Importers by the word that stands behind `import:`. */
export const IMPORTERS = { raydepsets: importDepsets } as const;
