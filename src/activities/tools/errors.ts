import { problem } from '../../model/problem.js';
import type { ToolFile } from './ports.js';

export const toolDigestDiffers = problem.config(
  ({ url, what }: ToolFile, path: string, wanted: string, found: string) => [
    'TOOL_DIGEST_DIFFERS',
    `${url} has sha256 ${found}, but the release file says ${wanted} (${what})`,
    'Nothing ran. Compare both with what its makers announce for this version; correct `sha256` only if you trust the file.',
    { path, details: { wanted, found } },
  ],
);
/** @param begins the first bytes */
export const toolNotExecutable = problem.config(({ url, place, what }: ToolFile, begins: string) => [
  'TOOL_NOT_EXECUTABLE',
  `${url} is no program (${what}): it begins with ${JSON.stringify(begins)}`,
  'Name the program itself in `at`, not an archive or a page; programs of Linux and macOS and scripts with #! are taken.',
  { path: place },
]);
