import { z } from 'zod';
import { text, texts, words } from '../../../model/schema/command.js';
import { frame, known, Network, retryFailed } from '../../../model/schema/frame.js';
import { InnerPath, Name } from '../../../model/schema/scalars.js';

const { on, unserved, timeout, retry, onFailure } = frame;
const framed = { on, unserved, timeout, retry, onFailure };

/** Spack imports recipes as `spack_repo.NAME`. */
const RecipeFolder = InnerPath.refine((path) => /(^|\/)spack_repo\/[^/]+$/.test(path), {
  message: 'a recipe repository lies in a folder named spack_repo: recipes/spack_repo/NAME',
});

const Runner = z.strictObject({
  tags: z.array(z.string().min(1)).describe('Tags of jobs that it takes.'),
  on: Name.describe('Queue of those jobs.'),
});
export type Runner = z.infer<typeof Runner>;

/** `1.2` is also any 1.2.1. */
const SpackVersion = z.string().regex(/^(\d+(\.[0-9a-z]+)+|[0-9a-f]{7,40})$/, {
  message: 'a version of Spack (1.1, 1.2.0.dev0), or at least 7 digits of a commit',
});

const Known = z.strictObject({
  spec: z
    .string()
    .min(1)
    .describe('A spec as Spack writes it: mast@1.0 %gcc. It means all concrete specs that satisfy it.'),
  ...known,
});
export type Known = z.infer<typeof Known>;

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
  /** Digest of the sections `packages` and `config` of spack.yaml. */
  settings: text,
};

/** An entry of `specs`. */
export const Spec = z.strictObject({
  ...SpecFacts,
  ...EnvironmentOf,
  /** Entries of the specs that it depends on directly, without external ones. */
  dependencies: texts,
  spack: SpackVersion.optional(),
  network: Network,
  retryFailed,
  ...framed,
});
export type Spec = z.infer<typeof Spec>;
