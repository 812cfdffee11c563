import type { FeatureSchemas } from '../../model/schema/feature-schemas.js';
import { CallEntry, ConfigSection, TopsailImport } from './schemas/config.js';

export const campaigns = {
  sections: {
    config: ConfigSection.optional().describe(
      'Configuration of the entries: a YAML file of the source and its presets.',
    ),
  },
  after: { config: 'source' },
  entries: { 'steps.call': CallEntry, 'steps.import.topsail': TopsailImport },
} as const satisfies FeatureSchemas;
