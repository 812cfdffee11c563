import { z } from 'zod';
import type { JsonObject } from '../../../model/json.js';
import { frame } from '../../../model/schema/frame.js';
import { Env, InnerPath } from '../../../model/schema/scalars.js';
import { Command } from '../../../model/schema/sections/builds.js';

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
  commands: z
    .string()
    .min(1)
    .default('./run_toolbox.py {group} {command} {args}')
    .describe('The line of a `call:`. {args} is each argument as --name=value.'),
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

const COMMAND_NAME = /^[A-Za-z][\w-]*( [A-Za-z][\w-]*)?$/;
const Affix = z.string().regex(/^[\w.-]+$/, 'letters, digits and "_-."');
const { run: _run, expect: _expect, ...commanded } = Command.shape;
export const CallEntry = z.strictObject({
  ...commanded,
  call: z
    .string()
    .regex(COMMAND_NAME, 'a command is "group command"')
    .describe('Command of the toolbox, as the template of arguments names it: `cluster set_scale`.'),
  prefix: Affix.optional().describe('What its arguments are found under: `prefix/group command`.'),
  suffix: Affix.optional().describe('The same: `group command/suffix`.'),
  extra: z.record(z.string().min(1), z.json()).default({}).describe('Arguments besides. They win.'),
});
export type CallEntry = z.infer<typeof CallEntry>;
/** A command and what chooses its arguments. */
export type Call = Pick<CallEntry, 'call' | 'prefix' | 'suffix'> & { readonly extra: JsonObject };

export const TopsailImport = z.strictObject({
  import: z.literal('topsail').describe("The steps of TOPSAIL's jobs: clean-up, prepare, test, clean-up."),
  ...{ when: frame.when, on: frame.on, timeout: frame.timeout, retry: frame.retry, onFailure: frame.onFailure },
  project: InnerPath.optional().describe('Folder of the project in the source; by default that of `config:`.'),
  env: Env.default({}).describe('Variables of all four.'),
});
export type TopsailImport = z.infer<typeof TopsailImport>;
