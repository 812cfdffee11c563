import { campaigns } from './campaigns/kinds.js';
import { locks } from './locks/kinds.js';
import { spack } from './spack/kinds.js';
import type { FeatureKinds } from '../model/feature-kinds.js';

/** Data of features for all programs, the workflow bundle included. Each `kinds.ts` imports types alone. */
export const FEATURE_KINDS = { campaigns, locks, spack } as const satisfies Readonly<Record<string, FeatureKinds>>;
