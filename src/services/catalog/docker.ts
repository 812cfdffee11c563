import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../../model/failure.js';
import { ask } from '../ask.js';
import { engineFolder, makeShortFolder } from '../engine-folder.js';
import { notRootForDocker } from '../errors.js';
import { logFile } from '../folders.js';
import { plain, type Service } from '../service.js';
import type { Context } from './context.js';
import { enableEmulation } from './emulation.js';
import { clearLeftovers } from './engine-leftovers.js';
import { WITHOUT_RAW_SOCKETS, writeRuntime } from './engine-runtime.js';

const HOST_ENGINE = 'unix:///var/run/docker.sock';
/** Steps and builds use the host's network, without NAT. The bridge stays at its default, because `--bridge=none`
 * would delete docker0 of another engine on this machine. */
const HOST_NETWORK = ['--iptables=false', '--ip-masq=false', '--ip-forward=false'];

export const pings = async (address: string): Promise<boolean> =>
  (await ask(address, '/_ping', { limitMs: 3_000 }))?.status === 200;

/** Returns the engine that answers on this machine, else a new one with its data in this home. `SLIPWAY_ENGINE=own`
 * always selects a new one. */
export async function docker(context: Context): Promise<Service> {
  const wishes = context.env['SLIPWAY_ENGINE'] === 'own' ? [] : [context.env['DOCKER_HOST'], HOST_ENGINE];
  for (const address of wishes) if (address && (await pings(address))) return theirs(context, address);
  return ours(context);
}

const theirs = ({ home, isRoot }: Context, address: string): Service => ({
  ...plain,
  prepare: () => enableEmulation(isRoot),
  name: 'docker',
  managed: false,
  launch: () => ({ argv: ['true'] }),
  answers: () => pings(address),
  state: () => ({ pid: 0, address, log: logFile(home, 'docker') }),
});

function ours(context: Context): Service {
  const data = join(context.home, 'docker', 'data');
  const short = engineFolder(context.home);
  const runtime = join(short, 'bin');
  const address = `unix://${join(short, 'docker.sock')}`;
  return {
    ...plain,
    name: 'docker',
    prepare: async () => {
      if (!context.isRoot) throw fail(notRootForDocker());
      mkdirSync(data, { recursive: true });
      makeShortFolder(short);
      writeRuntime(runtime);
      await enableEmulation(context.isRoot);
      await clearLeftovers(data, join(short, 'exec'));
    },
    launch: () => ({
      argv: [
        ...WITHOUT_RAW_SOCKETS,
        ...(['/usr/sbin/dockerd', '--data-root', data, '--exec-root', join(short, 'exec')] as const),
        ...['-H', address, '-p', join(short, 'docker.pid'), '--log-level', 'warn', ...HOST_NETWORK],
      ],
      env: { PATH: `${runtime}:${context.env['PATH'] ?? ''}` },
    }),
    answers: () => pings(address),
    state: (pid) => ({ pid, address, log: logFile(context.home, 'docker') }),
    endWithinMs: 30_000,
  };
}
