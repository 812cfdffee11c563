import { z } from 'zod';
import { network, retryFailedMs, text, texts, Where } from '../../model/schema/command.js';
import type { FeatureSchemas } from '../../model/schema/feature-schemas.js';
import { Name } from '../../model/schema/scalars.js';
import { Building, EnvironmentImport, EnvironmentOf, type Spec, SpecFacts } from './schemas/environment.js';

/** A release file has no specs. `makes` of the importer reads those of imports. */
const NoSpecs = z.record(
  Name,
  z.unknown().refine(() => false, 'a release file has no specs of its own: `environments` makes them of a lock'),
) as unknown as z.ZodRecord<typeof Name, typeof Spec>;

export const spack = {
  params: {
    /** Artifacts of kind file: each file that Spack made, with its path in a build cache as the label `path`, and `closure.json`,
     * which names the files of the spec and of all that it links or runs with. Facts: `{hash}`. */
    buildSpec: z.strictObject({ ...SpecFacts, ...EnvironmentOf, ...Building, where: Where, network, retryFailedMs }),
    /** `specs`: hashes of the specs whose recipes are compared with the lock. `spack`: the version or commit that the worker must have.
     * Facts: `{spack}`, the version. */
    proveSpecs: z.strictObject({ ...EnvironmentOf, specs: texts, spack: text.exactOptional() }),
  },
  sections: {
    environments: z
      .record(Name, EnvironmentImport)
      .default({})
      .describe('Spack environments. Each concrete spec of the lock is built by a step of its own.'),
    specs: NoSpecs.default({}).describe('Concrete specs of `environments`. A release file has none of its own.'),
  },
  after: { environments: 'images', specs: 'environments' },
  entries: { 'environments.import.spack': EnvironmentImport },
} as const satisfies FeatureSchemas;
