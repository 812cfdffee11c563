import { z } from 'zod';
import { text, texts, words } from '../../../model/schema/command.js';
import { frame, known, Network, retryFailed } from '../../../model/schema/frame.js';
import { InnerPath, Name } from '../../../model/schema/scalars.js';

const { on, unserved, timeout, retry, onFailure } = frame;
const framed = { on, unserved, timeout, retry, onFailure };

const Text = z.string().min(1);

/** Spack imports recipes as `spack_repo.NAME`. */
const RecipeFolder = InnerPath.refine((path) => /(^|\/)spack_repo\/[^/]+$/.test(path), {
  message: 'a recipe repository lies in a folder named spack_repo: recipes/spack_repo/NAME',
});

const Runner = z.strictObject({
  tags: z.array(Text).describe('Tags of jobs that it takes.'),
  on: Name.describe('Queue of those jobs.'),
  unserved: z
    .enum(['wait', 'drop', 'fail'])
    .optional()
    .describe('What to do where nobody serves the queue: wait, drop, fail; by default what the import says.'),
});
export type Runner = z.infer<typeof Runner>;

/** `1.2` is also any 1.2.1. */
const SpackVersion = z.string().regex(/^(\d+(\.[0-9a-z]+)+|[0-9a-f]{7,40})$/, {
  message: 'a version of Spack (1.1, 1.2.0.dev0), or at least 7 digits of a commit',
});

const Known = z.strictObject({
  spec: Text.describe('A spec as Spack writes it: mast@1.0 %gcc. It means all concrete specs that satisfy it.'),
  ...known,
});
export type Known = z.infer<typeof Known>;

const Host = z
  .strictObject({
    platform: z.string().optional().describe('linux, darwin'),
    os: z.string().optional().describe('debian12, rhel8'),
    target: z.string().optional().describe('x86_64_v3, zen4'),
    hostname: z.string().optional(),
    env: z.record(z.string(), z.string()).optional().describe('All variables that there are.'),
  })
  .default({})
  .describe(
    'All that `when` of definitions and includes may ask. What it leaves out is unknown, and then planning fails.',
  );

export const EnvironmentImport = z
  .strictObject({
    import: z.literal('spack').describe('What the file is: a spack.yaml.'),
    file: InnerPath.describe('The file in the source. spack.lock is beside it.'),
    recipes: z
      .record(Name, RecipeFolder)
      .default({})
      .describe('Recipe repositories in the source, by namespace. Spack asks them before those of the worker.'),
    spack: SpackVersion.optional().describe(
      'The Spack that builds: a version, or a commit of its repository. Another one on a queue fails the proof. Default: any since 1.0.',
    ),
    network: Network,
    host: Host,
    includes: z
      .array(z.string().min(1))
      .default([])
      .describe('Git repositories, as spack.yaml names them, from which it may include files: each with a full hash.'),
    groups: z.array(Text).min(1).optional().describe('Groups of specs that are built; by default all.'),
    prefix: z
      .string()
      .regex(/^[A-Za-z0-9][\w.-]{0,19}$/, 'a prefix is up to 20 letters, digits, ".", "_" and "-"')
      .optional()
      .describe('Put before the names of specs: two environments may build the same one.'),
    setup: Text.optional().describe(
      'A shell line before Spack, in its shell: module load gcc/12. `before_script` of spack.yaml is not run.',
    ),
    images: z
      .record(z.string().min(1), Name)
      .default({})
      .describe(
        'A name in `bases` by the image that `ci` gives to a job; * stands for anything. Such a spec is built in it.',
      ),
    unmapped: z
      .enum(['fail', 'drop'])
      .default('fail')
      .describe('What to do with specs of roots that no entry of `mappings` fits: fail, or leave them out.'),
    barrier: z
      .boolean()
      .default(false)
      .describe('Whether specs wait for all of the list of `bootstrap` before theirs; by default for those they need.'),
    runners: z
      .array(Runner)
      .min(1)
      .optional()
      .describe(
        'Queues by the tags that `ci` of spack.yaml gives to jobs: the first row with all tags of a job. Without it all take `on`.',
      ),
    known: z.array(Known).max(1000, 'at most 1000').default([]).describe('Specs that are known to fail.'),
    retryFailed,
    ...framed,
  })
  .refine(({ on, runners }) => on === undefined || runners === undefined, {
    message: '`runners` choose the queue, and so does `on`: write one of both',
    path: ['runners'],
  });
export type EnvironmentImport = z.infer<typeof EnvironmentImport>;

/** A concrete spec. Name and version are for people: the hash names all of it. */
export const SpecFacts = {
  /** DAG hash, 32 letters and digits. */
  hash: text,
  name: text,
  version: text,
};

/** The environment that a step reads. Its files are in the facts of the plan. */
export const EnvironmentOf = {
  /** Import that read the files: `environments/stack`. */
  environment: text,
  /** Path of spack.yaml in the source. */
  file: text,
  /** Folder in the source by namespace. */
  recipes: words,
  /** Digest of the sections `packages` and `config` of spack.yaml, and of the files that it includes. */
  settings: text,
  /** Keys of included files in the facts. The first takes precedence. Absent: there are none. */
  included: texts.exactOptional(),
  /** Path of the lock in the source. Absent: spack.lock beside `file`. */
  lock: text.exactOptional(),
};

/** How a spec is built. */
export const Building = {
  /** Shell line before Spack. */
  setup: text.exactOptional(),
  /** Variables of its job, as text. */
  variables: words.exactOptional(),
  /** Processes of its build. Absent: as many as Spack takes. */
  jobs: z.int().exactOptional(),
};

/** An entry of `specs`. */
export const Spec = z.strictObject({
  ...SpecFacts,
  ...EnvironmentOf,
  /** Entries of the specs that it depends on directly, without external ones. */
  dependencies: texts,
  spack: SpackVersion.optional(),
  ...Building,
  /** A name in bases. */
  base: text.exactOptional(),
  network: Network,
  retryFailed,
  ...framed,
});
export type Spec = z.infer<typeof Spec>;
