import type { FeatureSchemas } from '../../model/schema/feature-schemas.js';
import { ConfigSection } from './schemas/config.js';

export const campaigns = {
  sections: {
    config: ConfigSection.optional().describe(
      'Configuration of the entries: a YAML file of the source and its presets.',
    ),
  },
  after: { config: 'source' },
} as const satisfies FeatureSchemas;
