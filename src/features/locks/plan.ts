import { raydepsets } from '../../importers/raydepsets/index.js';
import type { FeaturePlan } from '../../plan/feature.js';
import { deps } from '../../plan/stages/deps.js';

export const locks = {
  stages: { deps },
  importers: { raydepsets },
} satisfies FeaturePlan;
