import '../adapters/tell-uncaught.js';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { NativeConnection } from '@temporalio/worker';
import pino, { type Logger } from 'pino';
import { sweepWorkspaces } from '../activities/step/workspace.js';
import { createDocker } from '../adapters/docker/index.js';
import { home } from '../adapters/home.js';
import { makePrivate } from '../adapters/private-home.js';
import { startOf } from '../adapters/process/identity.js';
import { sweepPipes } from '../adapters/process/pipes.js';
import { sweepGroups } from '../adapters/process/sweep.js';
import { serviceOf } from '../adapters/service-of.js';
import { sweepTemporary } from '../adapters/store/temporary.js';
import { dataConverter } from '../adapters/temporal/codec/data-converter.js';
import { metricsAddress } from '../adapters/temporal/metrics-address.js';
import { serverSettings, type ServerSettings } from '../adapters/temporal/settings.js';
import type { Queue } from '../model/ids.js';
import { assertMark } from '../client/assert-mark.js';
import { fail, SlipwayFailure } from '../model/failure.js';
import { assertRole } from './assert-role.js';
import { serverRefusesWorker } from './errors.js';
import { installRuntime } from './metrics/runtime.js';
import { readArguments, roleOf, USAGE, whoAmI } from './options.js';
import { createReadyFile } from './ready.js';
import { serveWorkflows, type WorkerProcess } from './serve.js';
import { createStopping } from './stopping.js';

async function main(): Promise<void> {
  const what = readArguments(process.argv.slice(2));
  if (what === null) {
    process.stderr.write(`${USAGE}\n`);
    process.exitCode = 2;
    return;
  }
  const { env, pid } = process;
  makePrivate(home());
  // File modes are part of build results, so they must not depend on the user's umask. The home's own mode keeps other
  // users out.
  process.umask(0o022);
  const me = whoAmI(roleOf(what), {
    ...{ said: env['SLIPWAY_WORKER_NAME'], host: hostname(), home: home() },
    ...{ pid, nowMs: Date.now() },
  });
  const log = pino({ base: { worker: me.worker, pid }, serializers: { error: pino.stdSerializers.err } });
  const stopping = createStopping();
  const metrics = metricsAddress(env);
  installRuntime(log, metrics);
  if (what.queue !== null) await sweep(home(), log);
  // Only a supervisor reads the file. A worker that joins in the same home must not overwrite the supervised one's.
  const ready = what.kept ? createReadyFile(home(), roleOf(what)) : NO_FILE;
  ready.remove();
  const server = serverSettings(env, serviceOf(home(), 'temporal'));
  const connection = await connect(server, what.queue);
  const converter = await dataConverter(env, 'worker');
  const shared: WorkerProcess = {
    ...{ me, server, connection, converter, stopping, log, ready, kept: what.kept },
    metrics: metrics !== null,
  };
  try {
    // The worker of workflows does without the code of activities, which takes 0.4 s of CPU and 40 MB.
    if (what.queue === null) await serveWorkflows(shared, what.deployment);
    else {
      const { FEATURE_NODES } = await import('../features/node.js');
      await (await import('./serve-queue.js')).serveQueue(what.queue, shared, FEATURE_NODES);
    }
  } finally {
    ready.remove();
    await connection.close();
  }
}

const NO_FILE = { write: () => undefined, remove: () => undefined };

/** Throws WORKER_SERVER_SILENT, WORKER_ROLE_REFUSED, SERVER_FOREIGN or NAMESPACE_UNMARKED. */
async function connect(settings: ServerSettings, queue: Queue | null): Promise<NativeConnection> {
  const { namespace: _, mark: __, ...server } = settings;
  try {
    const connection = await NativeConnection.connect(server);
    await assertMark(connection.workflowService, settings);
    await assertRole(connection, settings, queue);
    return connection;
  } catch (error) {
    if (error instanceof SlipwayFailure) throw error;
    throw fail(serverRefusesWorker(server.address, (error as Error).message), error);
  }
}

void main().then(() => process.exit());

async function sweep(home: string, log: Logger): Promise<void> {
  const groups = await sweepGroups(join(home, 'running'));
  const workspaces = await sweepWorkspaces(home, (pid) => startOf(pid) !== null);
  const files = await sweepTemporary(join(home, 'store'));
  const pipes = await sweepPipes();
  const containers = await createDocker(() => serviceOf(home, 'docker')?.address ?? null).sweep();
  if (groups.length + workspaces + files + pipes + containers > 0)
    log.info({ groups, workspaces, files, pipes, containers }, 'swept what dead workers left');
}
