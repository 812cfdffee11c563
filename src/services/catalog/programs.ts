import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withoutServer } from '../../adapters/temporal/server-env.js';
import type { ProgramRow } from '../../model/feature-kinds.js';
import { PROGRAMS } from '../../model/programs.js';
import { readJson } from '../files.js';
import { logFile, readyFile } from '../folders.js';
import { plain, type Service } from '../service.js';
import { buildEnv } from './build-env.js';
import type { Context } from './context.js';
import { NODE_FLAGS } from './worker.js';

/** Programs of features whose file is in this home. */
export const programs = (context: Context): readonly Service[] =>
  Object.entries(PROGRAMS)
    .filter(([, { file }]) => existsSync(join(context.home, file)))
    .map(([name, row]) => program(context, name, row));

function program({ home, packageRoot, env }: Context, name: string, row: ProgramRow): Service {
  const ready = readyFile(home, name);
  const main = join(packageRoot, 'dist', `${row.main}.js`);
  return {
    ...plain,
    ...{ name, after: ['temporal'], runsOurCode: true },
    prepare: async () => {
      mkdirSync(dirname(ready), { recursive: true });
      rmSync(ready, { force: true });
    },
    launch: () => {
      const secret = variableIn(join(home, row.file), row.secret);
      const own = secret === undefined ? {} : { [secret]: env[secret] };
      return {
        ...{ argv: [process.execPath, ...NODE_FLAGS, main], cwd: packageRoot, scrubbed: true },
        env: { ...buildEnv(env), ...withoutServer(env), ...own, SLIPWAY_HOME: home },
      };
    },
    answers: async (pid) => readJson<{ pid: number }>(ready)?.pid === pid,
    state: (pid) => ({
      pid,
      address: readJson<{ address?: string }>(ready)?.address ?? name,
      log: logFile(home, name),
    }),
  };
}

/** Returns the variable that a key of a file names. */
const variableIn = (file: string, key: string): string | undefined =>
  new RegExp(`^${key}:\\s*["']?\\$([A-Za-z_]\\w*)`, 'm').exec(readFileSync(file, 'utf8'))?.[1];
