import type { FeaturePlan } from '../../plan/feature.js';
import { readSettings } from './pure/settings.js';
import { topsail } from './pure/topsail/lifecycle.js';
import { refuseCalls } from './pure/topsail/rewrite.js';

export const campaigns = {
  importers: { topsail },
  word: 'config',
  settings: readSettings,
  check: refuseCalls,
} satisfies FeaturePlan;
