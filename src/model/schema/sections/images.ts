import { z } from 'zod';
import { commanded, frame, narrowed, Network } from '../frame.js';
import { DebianPackage, Duration, Env, InnerPath, Name, Reference } from '../scalars.js';

const OwnPython = z
  .literal('own')
  .optional()
  .describe("own: wheels are built in it with the distribution's Python, python3-dev, in place of the worker's.");

const DAY_MS = 24 * 3_600_000;

export const Base = z.union([
  z.strictObject({
    python: OwnPython,
    image: z.string().regex(/^\S+@sha256:[0-9a-f]{64}$/, 'a base image is named with its digest: name@sha256:…'),
  }),
  z.strictObject({
    python: OwnPython,
    debian: z
      .string()
      .regex(/^[a-z]+$/, 'a Debian release is one word: bookworm')
      .describe('Debian release.'),
    packages: z.array(DebianPackage).default([]).describe('Debian packages in it.'),
    bindep: z
      .array(Name)
      .min(1, 'name at least one import')
      .optional()
      .describe('Imports of `wheels`: the packages that their bindep files name for the distribution are in it too.'),
    refresh: Duration.refine((ms) => ms >= DAY_MS, 'a base is refreshed once a day at most')
      .optional()
      .describe('Makes it anew after this time, with the packages of that day: 7d. By default it is made once.'),
  }),
]);
export type Base = z.infer<typeof Base>;

export const Tag = z
  .string()
  .regex(/^[A-Za-z0-9_{][A-Za-z0-9_.{}-]*$/, 'a tag holds letters, digits, ".", "_" and "-"');

const TagsFile = InnerPath.regex(/\.yaml$/, 'tag rules are a .yaml file beside the release file, or of config/tags');

const Promoted = z.strictObject({
  target: Name.describe('A name in publish, of kind oci.'),
  tag: Tag.describe('What it is called there: 1.0.0-rc.1.'),
  digest: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/, 'a digest is sha256: and 64 hex digits')
    .optional()
    .describe('What the tag must stand for.'),
});

const ImageBase = z
  .string()
  .max(87, 'a name has at most 80 characters')
  .regex(
    /^(?:images\/)?(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._-]*$/,
    'a base is a name in bases, or images/ and a name in images',
  );

export const Image = z.strictObject({
  ...frame,
  ...narrowed,
  from: Promoted.optional().describe(
    'Taken by digest from where it was published, an index with its images, and built by nothing: an rc becomes the final.',
  ),
  base: ImageBase.optional().describe(
    'A name in bases, or images/NAME of this file; the Dockerfile takes it as ARG BASE, by digest.',
  ),
  dockerfile: z.string().min(1).default('Dockerfile').describe('A path in the build context that `context` names.'),
  context: z
    .enum(['files', 'source'])
    .default('files')
    .describe(
      'What COPY sees. files: the files beside the release file, below files/. source: the source tree itself. Both have what the image needs in deps/ wheels/ jars/ sdists/.',
    ),
  args: Env.default({}).describe('Build arguments.'),
  network: Network,
  labels: z
    .record(z.string().min(1), z.string())
    .default({})
    .describe('Labels besides title, version, revision and source.'),
  tags: z
    .union([z.array(Tag).min(1), TagsFile, z.strictObject({ rules: TagsFile, channel: Name.optional() })])
    .default(['{version}'])
    .describe('Tags where it is published; or a file of tag rules, and the row of its versions that is meant.'),
  index: z.literal('platform').optional().describe('One multi-platform index over the images of all platforms.'),
});
export type Image = z.infer<typeof Image>;

export const Test = z.strictObject({
  ...frame,
  ...narrowed,
  env: commanded.env,
  network: Network,
  tools: commanded.tools,
  packages: commanded.packages,
  base: commanded.base,
  in: z
    .enum(['venv', 'image', 'jvm', 'host'])
    .default('venv')
    .describe(
      'Where it runs. A venv holds the wheels and locks that it needs, and nothing else; a JVM has the JARs as $CLASSPATH.',
    ),
  run: z.string().min(1, 'a command is not empty').describe('A shell line for sh -eu -c; {files} is the bundle.'),
  tree: z
    .array(InnerPath)
    .min(1, 'name at least one path')
    .optional()
    .describe(
      'Files and folders of the source that its working folder holds: tests, conftest.py; "." is all. By default that folder is empty, and is $OUT.',
    ),
  expect: z.string().min(1).optional().describe('A whole line that must stand in the output.'),
  result: InnerPath.optional().describe('A file that must exist afterwards, below $OUT.'),
  artifacts: z.array(z.string().min(1)).default([]).describe('Globs of files that are kept besides.'),
});
export type Test = z.infer<typeof Test>;

export const Point = z.strictObject({
  target: Name.describe('A name in publish.'),
  name: Tag.describe('What moves: a tag.'),
  to: Reference.describe('Exactly one artifact.'),
  when: z
    .enum(['newest stable', 'newest commit', 'always'])
    .default('newest stable')
    .describe('Rule by which it moves: to the highest stable version, along with commits, always.'),
});
export type Point = z.infer<typeof Point>;
