import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { WHEELS_FOLDER } from '../../adapters/home.js';
import { ask } from '../ask.js';
import { writeAtomically } from '../files.js';
import { accessLogFile, logFile } from '../folders.js';
import { rotateAccessLog } from '../rotate-access-log.js';
import { plain, type Service } from '../service.js';
import type { Context } from './context.js';
import { INDEX } from './devpi.js';
import { nginxConfig } from './web-config.js';

/** One nginx: serves the Maven repository and the static indexes of wheels, and logs all requests to the Python index. */
export function web(context: Context): Service {
  const folder = join(context.home, 'nginx');
  const config = join(folder, 'nginx.conf');
  const log = logFile(context.home, 'web');
  return {
    ...plain,
    name: 'web',
    after: ['devpi'],
    prepare: async () => {
      mkdirSync(join(folder, 'tmp'), { recursive: true });
      for (const served of [mavenFolder, wheelsFolder]) mkdirSync(served(context.home), { recursive: true });
      rotateAccessLog(accessLogFile(context.home, 'wheels'), Date.now());
      writeAtomically(config, nginxConfig(places(context, folder, log)));
    },
    launch: () => ({ argv: ['/usr/sbin/nginx', '-e', log, '-p', folder, '-c', config] }),
    answers: async () => {
      const served = [mavenAddress, wheelsAddress].map((address) => ask(address(context), '/'));
      const asked = await Promise.all([...served, ask(indexAddress(context), '/+api')]);
      return asked.every((answer) => answer?.status === 200);
    },
    state: (pid) => ({ pid, address: `127.0.0.1:${context.ports.index}`, log }),
  };
}

const places = ({ home, ports, isRoot }: Context, folder: string, log: string) => ({
  folder,
  log,
  isRoot,
  maven: { port: ports.maven, root: mavenFolder(home), accessLog: accessLogFile(home, 'maven') },
  wheels: { port: ports.wheels, root: wheelsFolder(home), accessLog: accessLogFile(home, 'wheels') },
  index: { port: ports.index, devpiPort: ports.devpi, accessLog: accessLogFile(home, 'index') },
});

const wheelsFolder = (home: string): string => join(home, WHEELS_FOLDER);
const mavenFolder = (home: string): string => join(home, 'maven');
/** pip reads `PLATFORM/simple/` below it. */
export const wheelsAddress = ({ ports }: Context): string => `http://127.0.0.1:${ports.wheels}/`;
export const mavenAddress = ({ ports }: Context): string => `http://127.0.0.1:${ports.maven}/`;
/** Upload address for twine; pip reads `+simple/` below it. */
export const indexAddress = ({ ports }: Context): string => `http://127.0.0.1:${ports.index}${INDEX}/`;
