import { z } from 'zod';
import { LockTool, maybe, Platform, text, texts } from '../../model/schema/command.js';
import type { FeatureSchemas } from '../../model/schema/feature-schemas.js';
import { Name } from '../../model/schema/scalars.js';
import { DepsImport, Lock } from './schemas/lock.js';

export const locks = {
  params: {
    /** One artifact of kind lock. Facts: `{cutoff, pins}`, of a tool with a version also
     * `{tool: 'pip-tools==7.4.1', pip: '25.0'}`. */
    compileLock: z.strictObject({
      name: text,
      tool: LockTool,
      /** Version of the tool. The lock NAME-tool among the inputs has it and what it needs. Absent: the worker's. */
      version: text.exactOptional(),
      /** The lock whose tool this one locks. */
      toolOf: text.exactOptional(),
      python: text,
      for: Platform,
      requires: texts,
      in: texts,
      constraints: texts,
      cutoff: maybe,
      /** A lock inside the source tree that must equal the result. A difference fails with the diff. */
      drift: maybe,
      /** Each item is one option of the tool, with its value after a blank. */
      options: texts.exactOptional(),
      /** Path of the lock in the source tree. */
      lock: text.exactOptional(),
      /** True to store the file as the tool writes it. Absent: requirements and hashes alone. */
      exact: z.literal(true).exactOptional(),
      /** True if `lock` of the source must equal the result byte for byte. */
      bytes: z.literal(true).exactOptional(),
      /** Packages that are removed from the input lock before it is compiled again (raydepsets: `operation: relax`). */
      without: texts.exactOptional(),
    }),
  },
  sections: {
    deps: z
      .record(Name, z.union([Lock, DepsImport]))
      .default({})
      .describe('Hashed locks, one for each Python and platform; or what another tool says of them.'),
  },
  after: { deps: 'pythons' },
  entries: { 'deps.import.raydepsets': DepsImport },
} as const satisfies FeatureSchemas;
