import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '../ask.js';
import { writeAtomically } from '../files.js';
import { accessLogFile, logFile } from '../folders.js';
import { plain, type Service } from '../service.js';
import type { Context } from './context.js';
import { INDEX } from './devpi.js';
import { nginxConfig } from './web-config.js';

/** One nginx: serves the Maven repository, logs all requests to the Python index, and protects Temporal's web page
 * from other sites. */
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
      mkdirSync(mavenFolder(context.home), { recursive: true });
      writeAtomically(config, nginxConfig(places(context, folder, log)));
    },
    launch: () => ({ argv: ['/usr/sbin/nginx', '-e', log, '-p', folder, '-c', config] }),
    answers: async () => {
      const asked = await Promise.all([ask(mavenAddress(context), '/'), ask(indexAddress(context), '/+api')]);
      return asked.every((answer) => answer?.status === 200);
    },
    state: (pid) => ({ pid, address: `127.0.0.1:${context.ports.index}`, log }),
  };
}

const places = ({ home, ports, pageHost, isRoot }: Context, folder: string, log: string) => ({
  folder,
  log,
  isRoot,
  maven: { port: ports.maven, root: mavenFolder(home), accessLog: accessLogFile(home, 'maven') },
  page: { port: ports.ui, upstream: `${pageHost}:${ports.page}`, refusals: accessLogFile(home, 'ui') },
  index: { port: ports.index, devpiPort: ports.devpi, accessLog: accessLogFile(home, 'index') },
});

const mavenFolder = (home: string): string => join(home, 'maven');
export const mavenAddress = ({ ports }: Context): string => `http://127.0.0.1:${ports.maven}/`;
/** Upload address for twine; pip reads `+simple/` below it. */
export const indexAddress = ({ ports }: Context): string => `http://127.0.0.1:${ports.index}${INDEX}/`;
