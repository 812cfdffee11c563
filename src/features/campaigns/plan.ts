import type { FeaturePlan } from '../../plan/feature.js';
import { readSettings } from './pure/settings.js';
import { refuseCalls, topsail } from './pure/topsail/index.js';

export const campaigns = {
  importers: { topsail },
  word: 'config',
  settings: readSettings,
  check: refuseCalls,
} satisfies FeaturePlan;
