import { raydepsets } from './pure/raydepsets/index.js';
import type { FeaturePlan } from '../../plan/feature.js';
import { deps } from './pure/deps.js';

export const locks = {
  stages: { deps },
  importers: { raydepsets },
} satisfies FeaturePlan;
