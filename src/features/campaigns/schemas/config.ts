import { z } from 'zod';
import { Commands } from './toolbox.js';
import { InnerPath } from '../../../model/schema/scalars.js';

/** `config:` of a release file. */
export const ConfigSection = z.strictObject({
  file: InnerPath.exactOptional().describe(
    'YAML file in the source (default: config.yaml). Its key `presets` holds the presets.',
  ),
  import: z
    .literal('topsail')
    .exactOptional()
    .describe('The file is that of a TOPSAIL project: testing/config.yaml, presets under `ci_presets`.'),
  project: InnerPath.exactOptional().describe(
    'With `import`: folder of the project in the source, `projects/fine_tuning`.',
  ),
  commands: Commands,
  apply: z
    .array(z.string().min(1))
    .default([])
    .describe('Presets that are applied in this order, before those of --preset.'),
  models: z
    .record(z.string().min(1), InnerPath)
    .default({})
    .describe(
      'JSON Schemas in the source, by the path of the value that must follow it: `load: models/load.schema.json`.',
    ),
});
export type ConfigSection = z.infer<typeof ConfigSection>;
