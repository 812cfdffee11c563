import { z } from 'zod';
import { InnerPath, Name, Sha256, Version } from '../scalars.js';

/** An entry of `tools:`. A version of the commit may not choose the server. */
export const FetchedTool = z.strictObject({
  version: z
    .union([
      Version,
      z.strictObject({ file: InnerPath.describe('A file of the commit that holds the version alone.') }),
    ])
    .describe('A quoted version, or where the commit says it.'),
  at: z
    .string()
    .regex(
      /^https?:\/\/[^\s\\@?#{}/]+\/[^\s\\@?#]+$/,
      'an address is http(s)://HOST/PATH, without user, query and blanks; {…} only in its path',
    )
    .describe(
      'Where its file is: https://…/{version}/raymake-{platform}. {version} is its own, {platform} the machine.',
    ),
  sha256: z.record(Name, Sha256).describe('Digest of its file by machine: linux-x86_64.'),
});
export type FetchedTool = z.infer<typeof FetchedTool>;
