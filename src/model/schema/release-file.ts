import { z } from 'zod';
import { FEATURE_SCHEMAS } from '../../features/schemas.js';
import { notPlaced } from '../errors.js';
import { fail } from '../failure.js';
import { fieldOf, together } from '../together.js';
import { formsOf } from './entry-forms.js';
import { ExpressionText } from './expression-text.js';
import { adjusted } from './profile.js';
import { placed, RunRetries } from './run-retries.js';
import { InnerPath, Label, Name, PythonTag, Unserved, Version } from './scalars.js';
import { Command, Jar, Sdist, Wheel } from './sections/builds.js';
import { Cluster } from './sections/clusters.js';
import { Gate } from './sections/gates.js';
import { Base, Image, Point, Test } from './sections/images.js';
import { Announce, Notify, Remind } from './sections/notify.js';
import { Publish } from './sections/publish.js';
import { Prune } from './sections/prune.js';
import { MainSource, NamedSource } from './sections/sources.js';
import { StandingsSection } from './sections/standings.js';
import { FetchedTool } from './sections/tools.js';

/** Entries of a section by name, in any form.
 * @param own the form without a key that decides */
const named = <S extends string, T extends z.ZodType = never>(section: S, ...own: readonly T[]) =>
  z.record(Name, formsOf(section, ...own)).default({});

const VersionInFile = z.strictObject({
  file: InnerPath.describe('A file of the commit.'),
  match: ExpressionText.describe('A regular expression (RE2); its first group is the version.'),
});

const Platform = z.strictObject({
  ...adjusted,
  base: Name.optional().describe(
    'A name in bases: wheels for this platform are built in it, unless they name `base`. Wheels with `packages` are built in a base with them besides.',
  ),
  unserved: Unserved.optional().describe('What to do where nobody serves its queue: wait, wait 4h, drop, fail.'),
});

const CORE = {
  $schema: z.string().optional().describe('For editors.'),
  slipway: z.literal(1).describe('Version of this format.'),
  release: z
    .strictObject({
      name: Name.describe('Name of the project.'),
      version: z.union([Version, VersionInFile]).describe('A quoted version, or where the commit says it.'),
      branches: z
        .array(z.string().min(1))
        .optional()
        .describe('Branches a release may be made from; * stands for anything but /.'),
    })
    .optional()
    .describe('What is released. A file has `release` or `pipeline`.'),
  pipeline: z
    .strictObject({
      name: Name.describe('Name of the pipeline.'),
      label: Label.describe(
        'What tells its runs apart: commit, date or minute (UTC), fixed when it is planned; or a text of your own. `slipway run --label` wins.',
      ),
    })
    .optional()
    .describe('What runs under a label, and ends as `done`.'),
  isolation: z
    .literal('none')
    .optional()
    .describe(
      'none: workers that have no sandbox may build and test too. Without it the proof of such a worker fails.',
    ),
  source: MainSource.optional().describe(
    'What it is built from; nothing ever builds from a working tree. Optional in a file with `sources`.',
  ),
  sources: named('sources', NamedSource).describe(
    'Further sources. An entry with the key `source` is built from one of them.',
  ),
  tools: named('tools', FetchedTool).describe(
    'Programs that are fetched by digest, once. Entries that name one under `tools` have it on PATH.',
  ),
  platforms: z
    .union([z.array(Name).min(1, 'at least one platform'), z.record(Name, Platform)])
    .optional()
    .describe(
      'What artifacts are for: linux-x86_64 … Only a pipeline may leave it out: it is then for the first one whose queue this machine knows.',
    ),
  pythons: z.array(PythonTag).default([]).describe('CPythons, as tags.'),
  sdists: named('sdists', Sdist).describe('Source archives.'),
  wheels: named('wheels', Wheel).describe(
    'One wheel for each Python and platform; or what lists want and the index lacks.',
  ),
  jars: named('jars', Jar).describe('JARs and their POMs.'),
  bases: named('bases', Base).describe('Base images.'),
  images: named('images', Image).describe('Container images.'),
  clusters: named('clusters', Cluster).describe('Clusters that tests run on; each attempt of a test makes its own.'),
  tests: named('tests', Test).describe(
    'Tests against what was built, here or on a cluster; or what another tool says of them. One that fails stops publishing.',
  ),
  standings: StandingsSection.optional().describe('Follows cluster tests over many runs: who blocks, who is in jail.'),
  steps: named('steps', Command).describe('Anything else: a command with inputs and outputs.'),
  gates: named('gates', Gate).describe('Waits for people or for a time, before what is published.'),
  publish: named('publish', Publish).describe('Targets, and what goes there.'),
  prune: named('prune', Prune).describe('What `slipway cache prune` removes from targets of kind simple, by target.'),
  retry: RunRetries.optional().describe('How long to insist: all entries of a section, all steps together.'),
  epochs: z
    .record(z.string().min(1), z.int().positive())
    .optional()
    .describe(
      'Steps whose known results do not count any more, by id or by what ids begin with (tests, wheels/skiff): another number than before makes them anew.',
    ),
  point: z.array(Point).default([]).describe('What users follow; moves last.'),
  announce: named('announce', Announce).describe(
    'What the world hears once everything is published, verified and pointed to.',
  ),
  reports: named('reports').describe(
    'Where results of tests on clusters are reported; each report is a step after the tests.',
  ),
  notify: named('notify', Notify).describe(
    'Who is told while it runs: of held steps, gates, reminders and the verdict.',
  ),
  remind: Remind.prefault({}).describe('When those who are told of reminders hear again of what waits for them.'),
};
const SECTIONS = together('section', { core: CORE, ...fieldOf(FEATURE_SCHEMAS, 'sections') });
for (const [owner, places] of Object.entries<Readonly<Record<string, string>>>(fieldOf(FEATURE_SCHEMAS, 'after')))
  for (const [name, after] of Object.entries(places))
    if (!Object.hasOwn(SECTIONS, after)) throw fail(notPlaced('section', { owner, name, after }, false));

/** `slipway.yaml`, version 1. Sections in the order of a release. `readReleaseFile` also refuses a
 * file without one head, and a release without platforms. */
export const ReleaseFile = z.strictObject(
  Object.fromEntries(
    placed(Object.keys(SECTIONS)).map((name) => [name, SECTIONS[name as keyof typeof SECTIONS]]),
  ) as typeof SECTIONS,
);
export type ReleaseFile = z.infer<typeof ReleaseFile>;
