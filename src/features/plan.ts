import type { PlanList } from '../plan/feature.js';
import { campaigns } from './campaigns/plan.js';
import { locks } from './locks/plan.js';
import { spack } from './spack/plan.js';

/** Stages and checks of features. Programs hand the list in. */
export const FEATURE_PLANS: PlanList = { campaigns, locks, spack };
