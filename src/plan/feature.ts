import type { Importers } from '../importers/importer.js';
import type { Context } from './context.js';
import type { Stage } from './stage.js';

/** Exports of a feature's `plan.ts`. Pure. */
export interface FeaturePlan {
  readonly stages?: readonly Stage[];
  /** Importers by the word behind `import:`. Its `schemas.ts` has the form of the entry: `deps.import.raydepsets`. */
  readonly importers?: Importers;
  /** Complains about the file as a whole. */
  check?(context: Context): void;
}

/** By the name of the feature. */
export type FeaturePlans = Readonly<Record<string, FeaturePlan>>;
