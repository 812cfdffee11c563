import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { controlFor } from './network.mjs';
import { run, start, until } from './processes.mjs';
import { roleEnv } from './servers.mjs';
import { BUCKET_PORT, reachServices, TEMPORAL_PORT } from './tunnel.mjs';

const OF_CONTROL = 'web,devpi,staging,registry';
/** Keys of control that a builder gets: docs/workers.md#keys. */
const KEYS_OF_A_BUILDER = ['worker.key', 'control.pub', 'staging.key'];

export const homeOf = (folder, host) => join(folder, host, 'home');
export const slipwayOf = (root) => [process.execPath, join(root, 'bin', 'slipway.js')];

/** Variables of a program on a host: its home, its role and the bucket. Nothing of the shell's own Temporal or store. */
export const envOf = (folder, host, role, bucket) => ({
  ...{
    SLIPWAY_HOME: homeOf(folder, host),
    ...roleEnv(folder, role, `${controlFor(host)}:${TEMPORAL_PORT}`),
    ...bucket,
  },
  SLIPWAY_S3_ENDPOINT: `https://${controlFor(host)}:${BUCKET_PORT}`,
  ...{ SLIPWAY_WORKER_NAME: host, SLIPWAY_ENGINE: 'own', DOCKER_HOST: '' },
});

/** Starts the services of control, and its workers. */
export async function startControl(root, folder, bucket) {
  mkdirSync(join(folder, 'control'), { recursive: true });
  const env = envOf(folder, 'control', 'control', bucket);
  run('control', [...slipwayOf(root), 'up', '--only', OF_CONTROL], { env, cwd: folder });
  const child = start(folder, 'workers-control', 'control', [...slipwayOf(root), ...WORKER('workflows,control')], {
    env,
    cwd: folder,
  });
  await serving(root, folder, bucket, child, 'control');
}

/** Joins a build worker: an engine and a home of its own, the keys of a builder, the lines of docs/workers.md. */
export async function startBuilder(root, folder, bucket, host) {
  reachServices(folder, host, join(folder, 'certificates'));
  const keys = join(homeOf(folder, host), 'keys');
  mkdirSync(keys, { recursive: true, mode: 0o700 });
  chmodSync(homeOf(folder, host), 0o700);
  for (const file of KEYS_OF_A_BUILDER) copyFileSync(join(homeOf(folder, 'control'), 'keys', file), join(keys, file));
  const env = envOf(folder, host, 'build', bucket);
  run(host, [...slipwayOf(root), 'up', '--only', 'docker'], { env, cwd: folder });
  const child = start(folder, `worker-${host}`, host, [...slipwayOf(root), ...WORKER('linux-x86_64')], {
    env: { ...env, DOCKER_HOST: undefined },
    cwd: folder,
  });
  await serving(root, folder, bucket, child, host);
}

const WORKER = (queues) => ['worker', 'start', '--queues', queues];

/** Waits until `slipway workers` shows the worker of a host as serving. */
const serving = (root, folder, bucket, child, host) =>
  until(child, () => workersMatch(root, folder, bucket, new RegExp(`@${host} +serving`)));

/** Whether `slipway workers` shows such a line. False where Temporal does not answer in time: whoever waits asks again. */
export function workersMatch(root, folder, bucket, line) {
  try {
    return line.test(asOperator(root, folder, bucket, ['workers']));
  } catch {
    return false;
  }
}

/** A command of a person on control. */
export const asOperator = (root, folder, bucket, argv, more = {}) =>
  run('control', [...slipwayOf(root), ...argv], {
    env: envOf(folder, 'control', 'operator', bucket),
    cwd: root,
    ...more,
  });

export function endHomes(root, folder, bucket, hosts) {
  for (const host of hosts)
    run(host, [...slipwayOf(root), 'down'], { env: envOf(folder, host, 'operator', bucket), cwd: folder });
}
