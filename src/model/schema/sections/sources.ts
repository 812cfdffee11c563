import { z } from 'zod';
import { InnerPath, Sha256, Version } from '../scalars.js';

const sdist = z
  .string()
  .regex(/^[A-Za-z0-9._-]+==[A-Za-z0-9._+!-]+$/, 'a source is name==version')
  .describe('name==version of an sdist.');

const SdistSource = z.strictObject({
  sdist,
  sha256: Sha256.describe('Digest of the file.'),
  file: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._+!-]*$/, 'the name of a file has no folder')
    .optional()
    .describe('Name of the file on the Python index, if it has several source archives of the version.'),
});

const FileSource = z.strictObject({
  sdist,
  path: InnerPath.describe('The sdist as a file beside the release file, in place of the Python index.'),
  sha256: Sha256.optional().describe('Digest of the file.'),
});

const GitSource = z.strictObject({
  git: z.string().min(1).describe('A repository: a path beside the release file.'),
  commit: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._/-]*$/, 'a commit is a hash, a tag, a branch or HEAD')
    .default('HEAD')
    .describe('Hash, tag, branch or HEAD.'),
  folder: InnerPath.refine((text) => text !== '.', 'all of the repository is meant without `folder`')
    .optional()
    .describe(
      'Only this folder, from the top of the repository: it is the source tree, and its commit is the newest that changed it.',
    ),
});

/** `source:`, the source of all entries that name no other. */
export const MainSource = z.union([SdistSource, FileSource, GitSource]);

/** An entry of `sources:`. An sdist has its version in its name. */
export const NamedSource = z.union([
  SdistSource,
  FileSource,
  GitSource.extend({
    version: Version.optional().describe('Version of what is built from it. Without it, wheels may have any version.'),
  }),
]);
export type NamedSource = z.infer<typeof NamedSource>;
