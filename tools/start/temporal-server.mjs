import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { goBuild, goFolder, TOOLCHAIN } from './go.mjs';
import { digest, isStamped, stamp } from './stamp.mjs';

const SOURCES = ['main.go', 'roles.go', 'go.mod', 'go.sum'];

const what = 'the Temporal server';
const next = '`npm run tls-server` again';

/** Makes the databases of a server on PostgreSQL. Only `npm run hosts` and .ci/run ask for it. */
export function temporalSchema(root) {
  const source = join(root, 'tools', 'temporal-server');
  const folder = goFolder(root);
  const stampFile = join(folder, '.temporal-sql-tool-stamp');
  const wanted = () => digest([join(source, 'go.mod')], [TOOLCHAIN]);
  return {
    title: "Temporal's schema tool (from source)",
    isThere: () => existsSync(join(folder, 'temporal-sql-tool')) && isStamped(stampFile, wanted()),
    make: async ({ title, onLine }) => {
      const argv = ['build', '-o', join(folder, 'temporal-sql-tool'), 'go.temporal.io/server/cmd/tools/sql'];
      await goBuild(root, argv, { cwd: source, title, onLine, what, next });
      stamp(stampFile, wanted());
    },
  };
}

/** Temporal's production server with the roles of tools/temporal-server. It takes minutes, so only
 * `npm run tls-server` and .ci/run ask for it. */
export function temporalServer(root) {
  const source = join(root, 'tools', 'temporal-server');
  const folder = goFolder(root);
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
      const argv = ['build', '-o', join(folder, 'temporal-server'), '.'];
      await goBuild(root, argv, { cwd: source, title, onLine, what, next });
      stamp(stampFile, wanted());
    },
  };
}
