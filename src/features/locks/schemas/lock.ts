import { z } from 'zod';
import { LockTool } from '../../../model/schema/command.js';
import { frame, narrowed, sourced } from '../../../model/schema/frame.js';
import { Cutoff, InnerPath, Name } from '../../../model/schema/scalars.js';

const Lines = z.array(z.string().min(1)).default([]);
const Skip = z.record(Name, z.string().min(1)).default({});

/** A lock reads no bundle file: `in` and `constraints` name files of the source. */
const { files: _, ...framed } = frame;

export const Lock = z.strictObject({
  ...framed,
  ...sourced,
  ...narrowed,
  platform: z.literal('none').optional().describe('none: one lock for all platforms.'),
  python: z.literal('none').optional().describe('none: one lock for all Pythons.'),
  tool: z
    .union([
      LockTool,
      z.string().regex(/^(uv|pip-tools)==[0-9][\w.!+-]*$/, 'a version is NAME==VERSION, of uv or pip-tools'),
    ])
    .default('uv')
    .describe(
      'What resolves and locks: uv, for any platform; pip-tools, for the machine that runs it, without cutoff. pip-tools==7.4.1, uv==0.9.1: that version, in an environment of its own. relax takes packages out of the lock that `in` names.',
    ),
  pip: z
    .string()
    .regex(/^[0-9][\w.!+-]*$/, 'a version of pip')
    .optional()
    .describe('The pip that pip-tools==VERSION runs with; by default the newest.'),
  requires: Lines.describe('Requirements: what a build or a test needs besides its wheels.'),
  in: z.array(InnerPath).default([]).describe('Requirement files inside the source.'),
  constraints: Lines.describe('Constraints: requirements, or files inside the source.'),
  options: Lines.describe(
    'Options of the tool, one each, handed on as they are: --no-strip-markers, --index-strategy unsafe-best-match. The tool itself is asked whether it knows them before anything is built.',
  ),
  without: z.array(Name).default([]).describe('Packages that relax takes out.'),
  cutoff: Cutoff.optional(),
  lock: InnerPath.optional().describe(
    'Where the lock stands in the source: `slipway deps write` puts it there, `slipway deps check` compares.',
  ),
  write: z
    .enum(['plain', 'exact'])
    .default('plain')
    .describe(
      'plain: requirements and hashes, without comments. exact: the file as the tool writes it by these options alone; pins of `lock` are kept where they still hold.',
    ),
  drift: z
    .string()
    .min(1)
    .optional()
    .describe('A lock inside the source that must say the same as the result; or bytes: `lock` must equal it.'),
  skip: Skip.describe('Axis values that are left out, with the reason.'),
});
export type Lock = z.infer<typeof Lock>;

/** Locks that another tool's file describes. */
export const DepsImport = z.strictObject({
  import: z.literal('raydepsets').describe("What the file is: raydepsets, Ray's files of depsets."),
  file: InnerPath.describe('The file in the source, *.depsets.yaml; configs/*.depsets.yaml is all of a folder.'),
  only: z
    .array(z.string().min(1))
    .min(1, 'name at least one')
    .optional()
    .describe('Names of depsets, * for any letters; what they stand on comes along. By default all of the file.'),
  drift: z.literal('bytes').optional().describe('bytes: each lock must equal the committed one.'),
  when: frame.when,
  on: frame.on,
  timeout: frame.timeout,
  retry: frame.retry,
});
export type DepsImport = z.infer<typeof DepsImport>;
