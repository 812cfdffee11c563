import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { quietly } from './child.mjs';
import { digest, isStamped, stamp } from './stamp.mjs';

const ENTRIES = [
  ...['dist/cli/main.js', 'dist/services/supervisor-main.js', 'dist/workers/main.js', 'dist/drill/main.js'],
  ...['dist-cli/main.js', 'dist-cli/temporal.js'],
];

/** dist from src, and the command line in one file. */
export function build(root) {
  const stampFile = join(root, 'dist', '.slipway-stamp');
  const wanted = () => digest(sources(root));
  const isWhole = () => ENTRIES.every((entry) => existsSync(join(root, entry)));
  return {
    title: 'build',
    isThere: () => isWhole() && isStamped(stampFile, wanted()),
    make: async ({ title, onLine }) => {
      const before = wanted();
      const tsc = [process.execPath, join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b'];
      // Its own record may say "up to date" of files that somebody deleted.
      await quietly(title, isWhole() ? tsc : [...tsc, '--force'], { cwd: root, onLine });
      await quietly(title, [process.execPath, join(root, 'tools', 'bundle', 'main.mjs')], { cwd: root, onLine });
      stamp(stampFile, before);
    },
  };
}

function sources(root) {
  const below = [
    filesBelow(root, 'src', /\.ts$/),
    filesBelow(root, 'tools/drill', /\.(ts|json)$/),
    filesBelow(root, 'tools/bundle', /js$/),
    [join(root, 'bin', 'bundle.js')],
  ].flat();
  const configs = readdirSync(root).filter((file) => /^tsconfig.*\.json$|^package-lock\.json$/.test(file));
  return [...below, ...configs.map((file) => join(root, file))].sort((a, b) => (a < b ? -1 : 1));
}

const filesBelow = (root, folder, kind) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => kind.test(file))
    .map((file) => join(root, folder, file));
