import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { quietly } from './child.mjs';
import { digest, isStamped, stamp } from './stamp.mjs';

/** npm packages, exactly those of package-lock.json, which is never written. */
export function packages(root) {
  const lock = join(root, 'package-lock.json');
  const stampFile = join(root, 'node_modules', '.slipway-stamp');
  const wanted = () => digest([lock], [process.arch, process.platform]);
  return {
    title: 'npm packages',
    isThere: () => {
      if (isStamped(stampFile, wanted())) return true;
      if (!isInstalled(root, lock)) return false;
      stamp(stampFile, wanted());
      return true;
    },
    make: async ({ title, onLine }) => {
      const argv = ['npm', 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=warn'];
      await quietly(title, argv, { cwd: root, onLine });
      stamp(stampFile, wanted());
    },
  };
}

/** npm's own record, which it writes last, against the lock: somebody may have typed `npm ci` already. */
function isInstalled(root, lock) {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const [wanted, got] = [lock, record].map((file) => JSON.parse(readFileSync(file, 'utf8')).packages);
  const same = (path) =>
    wanted[path]?.integrity === got[path]?.integrity && wanted[path]?.version === got[path]?.version;
  const needed = Object.keys(wanted).filter((path) => path !== '' && !wanted[path].optional && !wanted[path].peer);
  return needed.every(same) && Object.keys(got).every(same);
}
