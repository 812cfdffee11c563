import type { Importers } from './importer.js';
import { ray } from './ray/index.js';
import { wheelList } from './wheel-list/index.js';

export type { At, Distributions, Imported, Importer, Importers, ImportPlatform, Setting, Tried } from './importer.js';
export * from './asks.js';
export type { SettingValue, SettingValues } from './settings.js';
export { openWork } from './work.js';

/** Importers of the core. */
export const IMPORTERS: Importers = { ray, 'wheel-list': wheelList };
