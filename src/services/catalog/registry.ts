import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '../ask.js';
import { writeAtomically } from '../files.js';
import { accessLogFile, logFile } from '../folders.js';
import { plain, type Service } from '../service.js';
import { clearSocket, socketOf } from '../engine-folder.js';
import type { Context } from './context.js';

/** A container registry: `registry` holds published images, `staging` those in progress. It listens on a socket; nginx
 * listens at its address and asks for the secret. */
export function registry(context: Context, name: 'registry' | 'staging'): Service {
  const folder = join(context.home, name);
  const config = join(folder, 'config.yaml');
  const address = `127.0.0.1:${context.ports[name]}`;
  const socket = socketOf(context.home, name);
  const accessLog = accessLogFile(context.home, name);
  return {
    ...plain,
    name,
    prepare: async () => {
      mkdirSync(join(folder, 'data'), { recursive: true });
      clearSocket(socket);
      writeAtomically(config, registryConfig(socket, join(folder, 'data'), name === 'staging'));
    },
    // The program writes its access log to stdout and everything else to stderr.
    launch: () => ({ argv: ['/usr/bin/docker-registry', 'serve', config], stdout: accessLog }),
    answers: async () => (await ask(`unix://${socket}`, '/v2/'))?.status === 200,
    state: (pid) => ({ pid, address, log: logFile(context.home, name), accessLog }),
  };
}

/** JSON is valid YAML and needs no quoting rules. */
const registryConfig = (socket: string, rootdirectory: string, mayDelete: boolean): string =>
  `${JSON.stringify(
    {
      version: '0.1',
      log: { level: 'warn', accesslog: { disabled: false } },
      storage: { filesystem: { rootdirectory }, delete: { enabled: mayDelete }, cache: { blobdescriptor: 'inmemory' } },
      http: {
        net: 'unix',
        addr: socket,
        secret: 'only one process reads this',
        headers: { 'X-Content-Type-Options': ['nosniff'] },
      },
    },
    null,
    2,
  )}\n`;
