import { z } from 'zod';
import { TARGET_KINDS } from '../../target-kinds.js';
import { frame } from '../frame.js';
import { Reference } from '../scalars.js';
import { CORE_KEYS, withKeys } from '../target-schemas.js';

const keys = {
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
  ...CORE_KEYS,
  timeout: frame.timeout,
  retry: frame.retry,
  onFailure: frame.onFailure,
};
export const Publish = z.strictObject(withKeys('key of `publish`', 'entry', keys));
export type Publish = z.infer<typeof Publish>;
