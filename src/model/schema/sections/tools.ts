import { z } from 'zod';
import { InnerPath, Name, Sha256, Version } from '../scalars.js';

const AT = /^https?:\/\/[^\s\\@?#{}/]+\/[^\s\\@?#]+$/;

/** An entry of `tools:`. A version of the commit may not choose the server. */
export const FetchedTool = z.strictObject({
  version: z
    .union([
      Version,
      z.strictObject({ file: InnerPath.describe('A file of the commit: the version alone, in one line.') }),
    ])
    .describe('A quoted version, or where the commit says it.'),
  at: z
    .string()
    .regex(AT, 'an address is http(s)://HOST/PATH without user, query and blanks; {…} only in its path')
    .describe('Its file: https://…/{version}/raymake-{platform}. {version} is its own, {platform} the machine.'),
  sha256: z.record(Name, Sha256).describe('Digest of its file by machine: linux-x86_64.'),
});
