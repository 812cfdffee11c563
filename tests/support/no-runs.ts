import type { Past } from '../../src/activities/plan/ports.js';
import { NO_PAST } from '../../src/adapters/facts/index.js';
import { FEATURE_PLANS } from '../../src/features/plan.js';

/** No earlier runs, and the features of this checkout. */
export const NO_RUNS: Past = { ...NO_PAST, features: FEATURE_PLANS };
