import { mkdirSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../../model/failure.js';
import { ask } from '../ask.js';
import { engineFolder, makeShortFolder } from '../engine-folder.js';
import { notRootForDocker } from '../errors.js';
import { writeAtomically } from '../files.js';
import { logFile } from '../folders.js';
import { run } from '../run.js';
import { plain, type Service } from '../service.js';
import type { Context } from './context.js';
import { clearLeftovers } from './engine-leftovers.js';

/** The engine finds it as `runc`. It removes CAP_NET_RAW from what the real one is about to start. */
const RUNC = [
  '#!/bin/sh',
  'file= last=',
  'for word in "$@"; do',
  '  case $last in --bundle) file=$word/config.json ;; --process) file=$word ;; esac',
  '  last=$word',
  'done',
  `[ -z "$file" ] || sed -i -E ':next; s/("capabilities":\\{[^}]*)("CAP_NET_RAW",|,?"CAP_NET_RAW")/\\1/; t next' "$file"`,
  'PATH=${PATH#*:}',
  'exec runc "$@"',
  '',
].join('\n');

const EMULATORS_TABLE = '/proc/sys/fs/binfmt_misc';
const EMULATORS = ['qemu-aarch64', 'qemu-x86_64'];
const EMULATION_LIMIT_MS = 10_000;

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

/** Registers QEMU with the kernel, also for containers. The packages' own service does so at boot, which a container
 * lacks. Never fails: workers measure their abilities and report what is missing. */
export async function enableEmulation(isRoot: boolean): Promise<void> {
  const packaged = EMULATORS.filter((name) => existsSync(`/usr/share/binfmts/${name}`));
  if (!isRoot || packaged.length === 0) return;
  if (!existsSync(`${EMULATORS_TABLE}/register`))
    await run('mount', ['-t', 'binfmt_misc', 'binfmt_misc', EMULATORS_TABLE], EMULATION_LIMIT_MS);
  for (const name of packaged.filter((emulator) => !existsSync(`${EMULATORS_TABLE}/${emulator}`)))
    await run('update-binfmts', ['--enable', name], EMULATION_LIMIT_MS);
}

/** On the machine's network a raw socket would read the secrets that others send on loopback, and no option of a build
 * forbids one. */
const writeRuntime = (folder: string): void => writeAtomically(join(folder, 'runc'), RUNC, 0o700);

/** Starts a program that can give nobody CAP_NET_RAW: a runtime that is not ours fails then. */
const WITHOUT_RAW_SOCKETS = ['setpriv', '--bounding-set', '-net_raw'] as const;
