import type { FeaturePlan } from '../../plan/feature.js';
import { licences } from './pure/licences.js';
import { scans } from './pure/scans.js';

export const sample = {
  stages: { scans },
  importers: { licences },
} satisfies FeaturePlan;
