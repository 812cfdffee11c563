import { z } from 'zod';
import { RULED_CLASSES } from '../plan.js';
import { ExpressionText } from './expression-text.js';
import {
  DebianPackage,
  Duration,
  DurationOrRange,
  Env,
  InnerPath,
  LastDay,
  Name,
  PythonTag,
  Reference,
  Unserved,
} from './scalars.js';

const AxisName = z.string().regex(/^[a-z][a-z0-9_]*$/, 'an axis is lower-case letters, digits and "_"');
const Axes = z.record(AxisName, Name);

const EXIT_STATUS = /^([1-9]|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])$/;

/** `retry.<class>:` */
const Retry = z.strictObject({
  times: z.int().min(0).max(100).default(5).describe('Further tries after the first.'),
  wait: DurationOrRange.prefault('2s').describe(
    'Wait before the second try, doubling; from a range it is drawn evenly.',
  ),
  atMost: Duration.prefault('60s').describe('Upper bound of one wait.'),
});

export const Retries = z.strictObject({
  product: Retry.extend({ times: Retry.shape.times.unwrap().default(1).describe('Further tries after the first.') })
    .optional()
    .describe(
      'What is released is wrong: a test fails. Not tried again unless this key is there; a pass after such a failure is reported as flaky.',
    ),
  infra: Retry.optional().describe('The environment fails for now: a registry answers 503, the disk is full.'),
  outage: Duration.optional().describe(
    'How long to wait for a service that does not answer, which uses up no tries; 24h by default.',
  ),
  lost: Retry.optional().describe('The worker died or went silent.'),
  exit: z
    .record(z.string().regex(EXIT_STATUS, 'an exit status is a number from 1 to 255'), z.enum(RULED_CLASSES))
    .optional()
    .describe('What an exit status of its command means: `75: infra` is tried again, `product` is not.'),
  lines: z
    .array(
      z.strictObject({
        match: ExpressionText.describe('A regular expression (RE2), sought in the last 200 lines of its output.'),
        class: z.enum(RULED_CLASSES).describe('product, infra, config or denied.'),
      }),
    )
    .max(50, 'at most 50')
    .optional()
    .describe('What a line of a failed command means; first match wins.'),
});

const OnFailure = z
  .enum(['hold', 'tell', 'stop'])
  .optional()
  .describe(
    'Once its retries are used up: hold waits for an action; tell reports the failure, ends the step and all that needs it, and waits for nobody; stop does the same and stops the other variants of its entry. By default hold in a release, tell in a pipeline.',
  );

/** Keys of a build that is known to fail, besides what names it. */
export const known = {
  because: z.string().min(3, 'say why').describe('Why it fails.'),
  until: LastDay.describe('Last day on which it is not built because of this.'),
};

/** `retryFailed` of entries that import builds. An entry form with this key takes part in what earlier runs know of failures. */
export const retryFailed = Duration.optional().describe(
  'How long a failed build is remembered: the same try is not made again before. By default 7d.',
);

const MOST_GLOBS = 200;
const Globs = z
  .array(InnerPath.max(500, 'a glob has at most 500 characters'))
  .min(1, 'name at least one glob')
  .max(MOST_GLOBS, `at most ${MOST_GLOBS} globs`);
const RuleTags = z.strictObject({
  rules: z
    .array(InnerPath.max(500, 'a path has at most 500 characters'))
    .min(1, 'name at least one rules file')
    .max(20, 'at most 20 rules files')
    .describe('Files of rules as rayci reads them, in its source: .buildkite/test.rules.txt.'),
  tags: z
    .array(z.string().regex(/^[^\s#]{1,100}$/, 'a tag is one word of at most 100 characters'))
    .min(1, 'name at least one tag')
    .max(MOST_GLOBS, `at most ${MOST_GLOBS} tags`)
    .describe(
      'With --since, the entry is left out and counts as done if the rules give none of them to a changed path.',
    ),
});
/** Which changed paths of its source count for an entry. */
const Changed = z
  .union([Globs, RuleTags])
  .describe(
    'Globs of paths in its source: java/**, **/pom.xml. With --since, the entry is left out and counts as done if no changed path matches. Or rules and tags.',
  );
export type Changed = z.infer<typeof Changed>;

/** Keys of every entry that becomes steps. */
export const frame = {
  when: z
    .union([
      z.string().min(1, 'a path is not empty').max(500, 'a path has at most 500 characters'),
      z.strictObject({ changed: Changed }),
    ])
    .optional()
    .describe(
      'Path of a setting that is true or false: tests.load. Where it is false or null, the entry is left out and counts as done. Or what must have changed.',
    ),
  needs: z
    .array(Reference)
    .default([])
    .describe('What it uses: section/name joins on equal axes, [axis=value] picks, [*] gathers all.'),
  matrix: z
    .record(AxisName, z.array(Name).min(1, 'an axis has at least one value'))
    .superRefine(({ python = [] }, context) => {
      for (const [index, tag] of python.entries())
        for (const { message } of PythonTag.safeParse(tag).error?.issues ?? [])
          context.addIssue({ code: 'custom', message, path: ['python', index] });
    })
    .default({})
    .describe('Further axes, or fewer values of an inherited one.'),
  exclude: z.array(Axes).default([]).describe('Variants that are not made; matches partially.'),
  include: z.array(Axes).default([]).describe('Complete variants that are made besides.'),
  on: Name.optional().describe('Queue that runs it; by default the one of its platform.'),
  unserved: Unserved.optional().describe(
    'What to do where nobody serves its queue: wait, wait 4h, drop, fail; by default what its platform says, or fail.',
  ),
  timeout: Duration.optional().describe('Limit of one try: 30s, 5m, 2h.'),
  retry: Retries.optional().describe('How long to insist, by class of failure.'),
  onFailure: OnFailure,
  parallel: z
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe('How many of its variants run at once. Without it as many as its queue has slots.'),
  files: z
    .array(InnerPath)
    .optional()
    .describe('Files or folders of the bundle that it reads; by default those its texts name.'),
};

/** Narrows platforms or Pythons of the file, the same as an axis in `matrix:`. */
export const narrowed = {
  platforms: z.array(Name).min(1).optional().describe('Platforms, where not all of the file.'),
  pythons: z.array(PythonTag).min(1).optional().describe('Pythons, where not all of the file.'),
};

export const crossing = {
  cross: z
    .enum(['zig', 'gcc'])
    .optional()
    .describe(
      'Compiler for platforms that are not those of the machine: zig (also an older C library; macOS), gcc (Linux). `on` names the queue.',
    ),
};

export const Network = z
  .boolean()
  .default(false)
  .describe("Gives the network to its own commands, also this machine's services. Without it they have none.");

/** Key of every entry that is built from a source. */
export const sourced = { source: Name.optional().describe('A name in sources; by default the source of the file.') };

/** Keys of every entry that runs commands. */
export const commanded = {
  network: Network,
  env: Env.default({}).describe('Variables of its environment, which is otherwise scrubbed.'),
  folder: InnerPath.default('.').describe('Working folder inside the source tree.'),
  tools: z
    .array(Name)
    .default([])
    .describe(
      'Programs its commands call: those of the section `tools`, and programs of the worker, which are proven before anything is built. Their versions are part of its step key.',
    ),
  packages: z
    .array(DebianPackage)
    .default([])
    .describe('Debian packages under it (lib…-dev): it then runs in a container made with them and a compiler.'),
  base: Name.optional().describe('A name in bases: it then runs in a container made from it.'),
};
