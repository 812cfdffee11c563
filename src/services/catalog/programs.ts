import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withoutServer } from '../../adapters/temporal/server-env.js';
import { PROGRAMS } from '../../model/programs.js';
import { readJson } from '../files.js';
import { logFile, readyFile } from '../folders.js';
import { plain, type Service } from '../service.js';
import { buildEnv } from './build-env.js';
import type { Context } from './context.js';
import { BEFORE_WORKERS, NODE_FLAGS } from './worker.js';

/** Programs of features whose file is in this home. */
export const programs = ({ home, packageRoot, env }: Context): readonly Service[] =>
  Object.entries(PROGRAMS)
    .filter(([, { file }]) => existsSync(join(home, file)))
    .map(([name, { file, main, secret }]) => {
      const ready = readyFile(home, name);
      const told = () => readJson<{ readonly pid: number; readonly address: string }>(ready);
      return {
        ...plain,
        ...{ name, after: BEFORE_WORKERS, runsOurCode: true },
        prepare: async () => rmSync(ready, { force: true }),
        launch: () => {
          const variable = new RegExp(`^${secret}:\\s*["']?\\$(\\w+)`, 'm').exec(
            readFileSync(join(home, file), 'utf8'),
          )?.[1];
          const own = { ...(variable !== undefined && { [variable]: env[variable] }), SLIPWAY_HOME: home };
          const argv = [process.execPath, ...NODE_FLAGS, join(packageRoot, 'dist', `${main}.js`)] as const;
          return { argv, cwd: packageRoot, scrubbed: true, env: { ...buildEnv(env), ...withoutServer(env), ...own } };
        },
        answers: async (pid) => told()?.pid === pid,
        state: (pid) => ({ pid, address: told()?.address ?? name, log: logFile(home, name) }),
      };
    });
