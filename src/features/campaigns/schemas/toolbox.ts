import { z } from 'zod';
import type { JsonObject } from '../../../model/json.js';
import { frame } from '../../../model/schema/frame.js';
import { Env, InnerPath } from '../../../model/schema/scalars.js';
import { Command } from '../../../model/schema/sections/builds.js';

/** `config.commands`. */
export const Commands = z
  .string()
  .min(1)
  .default('./run_toolbox.py {group} {command} {args}')
  .describe('The line of a `call:`. {args} is each argument as --name=value.');

const COMMAND_NAME = /^[A-Za-z][\w-]*( [A-Za-z][\w-]*)?$/;
const Affix = z.string().regex(/^[\w.-]+$/, 'letters, digits and "_-."');
/** Keys that choose the arguments of a command. */
export const call = {
  call: z
    .string()
    .regex(COMMAND_NAME, 'a command is "group command"')
    .describe('Command of the toolbox, as the template of arguments names it: `cluster set_scale`.'),
  prefix: Affix.optional().describe('What its arguments are found under: `prefix/group command`.'),
  suffix: Affix.optional().describe('The same: `group command/suffix`.'),
  extra: z.record(z.string().min(1), z.json()).default({}).describe('Arguments besides. They win.'),
};
const { run: _run, expect: _expect, ...commanded } = Command.shape;
export const CallEntry = z.strictObject({ ...commanded, ...call });
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
