import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { packageRoot } from './home.js';

/** Returns the line that puts this checkout's `slipway` on PATH. Null if PATH finds it already, and in the package,
 * whose bin has no `slipway`. */
export function pathLine(path: string = process.env['PATH'] ?? '', root: string = packageRoot()): string | null {
  const bin = join(root, 'bin');
  const found = path
    .split(delimiter)
    .map((folder) => join(folder, 'slipway'))
    .find((file) => existsSync(file));
  const isOurs = found !== undefined && realpathSync(found) === realpathSync(join(bin, 'slipway.js'));
  return isOurs || !existsSync(join(bin, 'slipway')) ? null : `export PATH="${bin}:$PATH"`;
}
