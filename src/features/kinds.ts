import { campaigns } from './campaigns/kinds.js';
import { locks } from './locks/kinds.js';
import type { FeatureKinds } from '../model/feature-kinds.js';

/** Data of features for all programs, the workflow bundle included. Each `kinds.ts` imports types alone. */
export const FEATURE_KINDS = { campaigns, locks } as const satisfies Readonly<Record<string, FeatureKinds>>;
