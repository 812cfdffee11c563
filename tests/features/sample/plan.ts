import type { FeaturePlan } from '../../plan/feature.js';
import { scans } from './pure/scans.js';

export const sample = {
  stages: [scans],
} satisfies FeaturePlan;
