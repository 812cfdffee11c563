import type { FeatureCli } from '../../cli/feature.js';

export const campaigns: FeatureCli = {
  settings: async (record) => (await import('./pure/config/settings-files.js')).settingsFiles(record),
};
