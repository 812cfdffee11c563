import { z } from 'zod';
import { frame } from '../frame.js';
import { Reference } from '../scalars.js';

export const TARGET_KINDS = ['python', 'maven', 'oci', 's3', 'command', 'central', 'git-tag', 'simple'] as const;

const line = z.string().min(1, 'a command is not empty');

export const Publish = z.strictObject({
  kind: z.enum(TARGET_KINDS).describe('What the target takes.'),
  files: z
    .array(Reference)
    .min(1, 'a target publishes something')
    .optional()
    .describe('What is published: section/name or section/*, all variants. A git-tag has none: it names the commit.'),
  needs: z
    .array(z.string().regex(/^verify\/[A-Za-z0-9._-]+$/, "a target needs another's verification: verify/NAME"))
    .default([])
    .describe('Targets that must be verified first: verify/NAME.'),
  verify: z.string().min(1).optional().describe('A shell line, run where it was installed from the target.'),
  network: z
    .boolean()
    .default(false)
    .describe(
      "python, maven, oci: gives the network to the line of `verify`, also this machine's services. Without it that line has none.",
    ),
  repository: z
    .string()
    .regex(/^[a-z0-9]+([._/-][a-z0-9]+)*$/, 'a repository is lower-case parts with "/" between')
    .optional()
    .describe('Repository inside an OCI registry.'),
  observe: line
    .optional()
    .describe(
      'command: prints absent or sha256:… for one file, or ends with 3 where it cannot tell. It gets $FILE $NAME $VERSION $SHA256 $ADDRESS.',
    ),
  upload: line.optional().describe('command: publishes one file. Whether it is there is what observe says afterwards.'),
  undo: line.optional().describe('command: how a file is taken back; shown with the plan, run by nobody.'),
  secrets: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'a variable is letters, digits and "_"'))
    .default([])
    .describe('command: variables of the worker that its lines get; all others are scrubbed.'),
  path: z
    .string()
    .regex(/\{file\}/, 'the path of a file holds {file}')
    .refine((text) => text.split('/').every((part) => part !== '' && part !== '.' && part !== '..'), {
      message: 'a path stays inside its folder: relative, "/" between parts, no ".."',
    })
    .optional()
    .describe('s3: where a file stands below the address; by default {branch}/{commit}/{file}.'),
  tag: z
    .string()
    .regex(
      /^(?!.*(\.\.|@\{|\.lock$|\/$|\/\/))[A-Za-z0-9_{][A-Za-z0-9_.{}/+-]*$/,
      'a tag is a name that git takes: v{version}',
    )
    .optional()
    .describe('git-tag: its name; by default v{version}.'),
  message: line.optional().describe('git-tag: what it says; by default the name and version of the release.'),
  mode: z
    .enum(['user-managed', 'automatic'])
    .optional()
    .describe(
      'central: user-managed (default) publishes once all is validated, automatic lets Central go on by itself.',
    ),
  when: z
    .enum(['sealed', 'built'])
    .optional()
    .describe(
      'simple: `built` publishes each wheel as soon as it is built, without a seal. The first bytes under a name stay. By default `sealed`.',
    ),
  timeout: frame.timeout,
  retry: frame.retry,
  onFailure: frame.onFailure,
});
export type Publish = z.infer<typeof Publish>;
