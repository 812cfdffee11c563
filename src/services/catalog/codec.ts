import { join } from 'node:path';
import { ask } from '../ask.js';
import { clearSocket, socketOf } from '../engine-folder.js';
import { logFile } from '../folders.js';
import { plain, type Service } from '../service.js';
import { codecEnv } from './build-env.js';
import type { Context } from './context.js';
import { NODE_FLAGS } from './worker.js';

/** The codec server of Temporal's page and command line: the door passes requests with the page's key on to its socket. Of the
 * credentials of the user it gets the codec's keys alone. */
export function codec({ home, packageRoot, env }: Context): Service {
  const socket = socketOf(home, 'codec');
  const address = `unix://${socket}`;
  return {
    ...plain,
    name: 'codec',
    runsOurCode: true,
    prepare: async () => clearSocket(socket),
    launch: () => ({
      argv: [process.execPath, ...NODE_FLAGS, join(packageRoot, 'dist', 'services', 'codec-main.js'), socket],
      scrubbed: true,
      env: { ...codecEnv(env), SLIPWAY_HOME: home },
    }),
    answers: async () => (await ask(address, '/decode', { method: 'POST', body: '{}' }))?.status === 200,
    state: (pid) => ({ pid, address, log: logFile(home, 'codec') }),
  };
}
