import { problem } from '../../model/problem.js';
import type { ToolFile } from './ports.js';

export const toolDigestDiffers = problem.config(({ shown }: ToolFile, path: string, wanted: string, found: string) => [
  'TOOL_DIGEST_DIFFERS',
  `${shown} has sha256 ${found}, but the release file says ${wanted}`,
  'Nothing ran. Compare both with what its makers announce for this version; correct `sha256` only if you trust the file.',
  { path, details: { wanted, found } },
]);
export const toolNotExecutable = problem.config(({ shown, path }: ToolFile, begins: string) => [
  'TOOL_NOT_EXECUTABLE',
  `${shown} is no program: it begins with ${JSON.stringify(begins)}`,
  'Name the program itself in `at`, no archive and no page: a script with #!, or an executable.',
  { path },
]);
