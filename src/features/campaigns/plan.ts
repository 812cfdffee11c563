import type { FeaturePlan } from '../../plan/feature.js';
import { readSettings } from './pure/settings.js';

export const campaigns = {
  settings: readSettings,
} satisfies FeaturePlan;
