import type { FeaturePlan } from '../../plan/feature.js';
import { deps } from '../../plan/stages/deps.js';

export const locks = {
  stages: { deps },
} satisfies FeaturePlan;
