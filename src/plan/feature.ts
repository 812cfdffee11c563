import type { Importers } from '../importers/importer.js';
import type { FeatureStages } from '../model/stages.js';
import type { Context } from './context.js';
import type { Stage } from './stage.js';

/** Exports of a feature's `plan.ts`. Pure. */
export interface FeaturePlan {
  /** Each stage of its `kinds.ts`, by its id. */
  readonly stages?: Readonly<Record<string, Stage>>;
  /** Importers by the word behind `import:`. Its `schemas.ts` has the form of the entry: `deps.import.raydepsets`. */
  readonly importers?: Importers;
  /** Complains about the file as a whole. */
  check?(context: Context): void;
}

/** By the name of the feature. */
export type FeaturePlans = Readonly<Record<string, FeaturePlan>>;
/** `FEATURE_PLANS`: each feature with stages is in it, and has all of them. */
export type PlanList<L = FeatureStages> = FeaturePlans & {
  readonly [F in keyof L as [keyof L[F]] extends [never] ? never : F]: {
    readonly stages: { readonly [S in keyof L[F]]: Stage };
  };
};
