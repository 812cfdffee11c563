import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { quietly } from './child.mjs';
import { digest, isStamped, stamp } from './stamp.mjs';
import { indexForUv } from './venv.mjs';

/** A node of Ray has about twenty Python processes. They cannot write here, so each would compile what it imports, for a second. */
const COMPILED = ['--compile-bytecode'];

/** Ray for the suites that test clusters: wheels by hash, in a venv of their own. Only `npm run ray` and .ci/run ask for it. */
export function ray(root) {
  const folder = join(root, '.tools', 'ray');
  const requirements = join(root, 'tools', 'ray-requirements.txt');
  const stampFile = join(folder, '.slipway-stamp');
  const wanted = () => digest([requirements], [folder, process.arch, process.platform, ...COMPILED]);
  const uv = join(root, '.tools', 'bin', 'uv');
  return {
    title: 'Ray (.tools/ray, a Python venv)',
    isThere: () => isStamped(stampFile, wanted()) && existsSync(join(folder, 'bin', 'ray')),
    make: async ({ title, onLine }) => {
      rmSync(folder, { recursive: true, force: true });
      const step = (...argv) => quietly(title, argv, { cwd: root, env: indexForUv(), onLine });
      await step(uv, 'venv', '--quiet', '--no-config', '--python', '3.11', folder);
      const how = ['--require-hashes', '--only-binary', ':all:', '--no-config', ...COMPILED];
      await step(uv, 'pip', 'install', ...how, '--python', join(folder, 'bin', 'python'), '-r', requirements);
      stamp(stampFile, wanted());
    },
  };
}
