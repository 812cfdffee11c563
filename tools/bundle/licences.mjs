import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const LICENCE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/** Returns name, version and licence texts of each package whose files are in a bundle.
 * @param inputs paths below the root, as the metafile of esbuild has them */
export function licences(root, inputs) {
  const folders = new Set(inputs.map((path) => packageOf(root, path)).filter((folder) => folder !== null));
  return [...folders].sort().map(told).join('\n');
}

/** The innermost folder of `node_modules` that has a name and a version. Null for a file of our own. */
function packageOf(root, path) {
  if (!path.includes('node_modules/')) return null;
  for (let folder = dirname(join(root, path)); !folder.endsWith('node_modules'); folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version !== undefined) return folder;
  }
  throw new Error(`no package.json is above ${path}`);
}

function told(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => LICENCE.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n${'-'.repeat(80)}`;
}
