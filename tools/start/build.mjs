import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { quietly } from './child.mjs';
import { digest, isStamped, stamp } from './stamp.mjs';

const ENTRIES = ['cli/main.js', 'services/supervisor-main.js', 'workers/main.js'];

/** dist from src. */
export function build(root) {
  const stampFile = join(root, 'dist', '.slipway-stamp');
  const wanted = () => digest(sources(root));
  const isWhole = () => ENTRIES.every((entry) => existsSync(join(root, 'dist', entry)));
  return {
    title: 'build',
    isThere: () => isWhole() && isStamped(stampFile, wanted()),
    make: async ({ title, onLine }) => {
      const before = wanted();
      const tsc = [process.execPath, join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b'];
      // Its own record may say "up to date" of files that somebody deleted.
      await quietly(title, isWhole() ? tsc : [...tsc, '--force'], { cwd: root, onLine });
      stamp(stampFile, before);
    },
  };
}

function sources(root) {
  const below = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(root, 'src', file));
  const configs = readdirSync(root).filter((file) => /^tsconfig.*\.json$|^package-lock\.json$/.test(file));
  return [...below, ...configs.map((file) => join(root, file))].sort((a, b) => (a < b ? -1 : 1));
}
