import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { quietly } from './child.mjs';
import { noGo } from './problem.mjs';
import { digest, isStamped, stamp } from './stamp.mjs';

const SOURCES = ['main.go', 'roles.go', 'go.mod', 'go.sum'];
/** The server's module asks for a newer Go than Debian's; it comes from the same module proxy. */
const TOOLCHAIN = 'go1.26.11';

/** Temporal's production server with the roles of tools/temporal-server. It takes minutes, so only
 * `npm run tls-server` and .ci/run ask for it. */
export function temporalServer(root) {
  const source = join(root, 'tools', 'temporal-server');
  const folder = join(root, '.tools', 'go', 'bin');
  const stampFile = join(folder, '.temporal-server-stamp');
  const wanted = () =>
    digest(
      SOURCES.map((file) => join(source, file)),
      [TOOLCHAIN],
    );
  return {
    title: 'Temporal server with TLS (from source)',
    isThere: () => existsSync(join(folder, 'temporal-server')) && isStamped(stampFile, wanted()),
    make: async ({ title, onLine }) => {
      if (spawnSync('go', ['version']).error) throw noGo('the Temporal server', '`npm run tls-server` again');
      mkdirSync(folder, { recursive: true });
      // One package at a time: several would take gigabytes of memory.
      const env = { GOTOOLCHAIN: TOOLCHAIN, GOFLAGS: '-p=1 -buildvcs=false' };
      await quietly(title, ['go', 'build', '-C', source, '-o', join(folder, 'temporal-server'), '.'], { env, onLine });
      stamp(stampFile, wanted());
    },
  };
}
