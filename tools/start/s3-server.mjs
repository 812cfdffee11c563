import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { goBuild, goFolder } from './go.mjs';
import { isStamped, stamp } from './stamp.mjs';

const MODULE = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0';

const what = 'the S3 server';
const next = '`npm run s3` again; or keep the store in a folder, which is what `npm start` does';

/** The S3 server of `slipway up --store s3`. Takes minutes, so nothing asks for it but `npm run s3` and .ci/run. */
export function s3Server(root) {
  const folder = goFolder(root);
  const stampFile = join(folder, '.slipway-stamp');
  return {
    title: 'S3 server (versitygw, from source)',
    isThere: () => existsSync(join(folder, 'versitygw')) && isStamped(stampFile, MODULE),
    make: async ({ title, onLine }) => {
      await goBuild(root, ['install', MODULE], { title, onLine, what, next });
      stamp(stampFile, MODULE);
    },
  };
}
