import { z } from 'zod';
import { frame, Network } from '../frame.js';
import { InnerPath, Name } from '../scalars.js';

const Filters = z.array(z.string().min(1).max(600)).max(100, 'at most 100 filters');

const Where = z.strictObject({
  frequency: z
    .string()
    .optional()
    .describe(
      'Only tests of it: nightly, nightly-3x, weekly, monthly, manual; any, any-smoke for all. By default any.',
    ),
  match: Filters.optional().describe(
    'attr:expression, as team:core. Filters of one attribute are alternatives, and every attribute must match; a/b is a nested key. prefix:TEXT is no expression. state:jailed is the state after the last night.',
  ),
  smoke: z.boolean().optional().describe('true: a test that has a smoke test runs as it.'),
  unstable: z.literal('skip').optional().describe('skip: leaves out tests with stable: false.'),
  jailed: z
    .literal('skip')
    .optional()
    .describe(
      'skip: leaves out tests that are jailed after the last night. By default they run, and their failures are tolerated.',
    ),
});

const Change = z.strictObject({
  match: Filters.optional().describe('Filters of the tests that it changes; by default all.'),
  set: z.record(z.string(), z.unknown()).describe("Upstream's keys, merged over those of the test."),
});

const Instance = z.strictObject({ cpus: z.int().min(0).max(100_000), gpus: z.int().min(0).max(1_000).default(0) });

const Byod = z.strictObject({
  base: Name.describe('A name in bases: the image below custom images.'),
  dockerfile: InnerPath.describe(
    'A path in the source. It may take as ARG: BASE, PYTHON, TYPE, COMMIT, POST_BUILD_SCRIPT, PYTHON_DEPSET, RAY_VERSION.',
  ),
  versions: z
    .record(z.string(), Name)
    .default({})
    .describe('A name in bases for each ray_version of the tests, in place of base.'),
  network: Network,
});

/** Tests that another tool's files describe. */
export const TestsImport = z.strictObject({
  import: z.literal('ray').describe("What the files are: ray, Ray's files of release tests."),
  files: z.array(InnerPath).min(1, 'name at least one file').describe('Files in the source.'),
  needs: frame.needs,
  where: Where.optional().describe('Tests that are taken; by default all.'),
  clusters: z
    .record(z.string(), Name)
    .default({})
    .describe(
      'A name in clusters for each environment of the tests (aws, gce …), or drop, which leaves its tests out.',
    ),
  change: z.array(Change).max(100, 'at most 100').default([]).describe('Changes of the tests, one after the other.'),
  prefix: z
    .string()
    .regex(/^([A-Za-z0-9][A-Za-z0-9._-]{0,30})?$/, 'a prefix is at most 31 letters, digits, ".", "_" and "-"')
    .default('')
    .describe('What the names of its steps begin with: two imports may have tests of the same names.'),
  instances: z
    .record(z.string(), z.union([Instance, Name]))
    .default({})
    .describe("Instance types that config/instances.yaml lacks: { cpus, gpus }. '*' names the group of all others."),
  byod: Byod.optional().describe(
    'How custom images of tests are built: one step for all tests that want the same contents. Without it no step builds them.',
  ),
  when: frame.when,
  on: frame.on,
  unserved: frame.unserved,
  retry: frame.retry,
  onFailure: frame.onFailure,
});
export type TestsImport = z.infer<typeof TestsImport>;
