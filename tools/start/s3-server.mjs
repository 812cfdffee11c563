import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { quietly } from './child.mjs';
import { noGo } from './problem.mjs';
import { isStamped, stamp } from './stamp.mjs';

const MODULE = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0';

const GO_NEXT = '`npm run s3` again; or keep the store in a folder, which is what `npm start` does';

/** The S3 server of `slipway up --store s3`. Takes minutes, so nothing asks for it but `npm run s3` and .ci/run. */
export function s3Server(root) {
  const folder = join(root, '.tools', 'go', 'bin');
  const stampFile = join(folder, '.slipway-stamp');
  return {
    title: 'S3 server (versitygw, from source)',
    isThere: () => existsSync(join(folder, 'versitygw')) && isStamped(stampFile, MODULE),
    make: async ({ title, onLine }) => {
      if (spawnSync('go', ['version']).error) throw noGo('the S3 server', GO_NEXT);
      mkdirSync(folder, { recursive: true });
      // One package at a time: several would take gigabytes of memory.
      await quietly(title, ['go', 'install', MODULE], { env: { GOBIN: folder, GOFLAGS: '-p=1' }, onLine });
      stamp(stampFile, MODULE);
    },
  };
}
