import { hostname } from 'node:os';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import pino, { type Logger } from 'pino';
import { home } from '../adapters/home.js';
import { makePrivate } from '../adapters/private-home.js';
import { dataConverter } from '../adapters/temporal/codec/data-converter.js';
import { serverSettings, type ServerSettings } from '../adapters/temporal/settings.js';
import { BEAT_MS } from '../model/heartbeat.js';
import { fail, SlipwayFailure } from '../model/failure.js';
import { serviceAddress } from './addresses.js';
import { serverRefusesWorker } from './errors.js';
import { readArguments, roleOf, USAGE, whoAmI } from './options.js';
import { createReadyFile } from './ready.js';
import { serveQueue, serveWorkflows, type WorkerProcess } from './serve.js';
import { createStopping } from './stopping.js';
import { sweep } from './sweep.js';

async function main(): Promise<void> {
  const what = readArguments(process.argv.slice(2));
  if (what === null) {
    process.stderr.write(`${USAGE}\n`);
    process.exitCode = 2;
    return;
  }
  const { env, pid } = process;
  makePrivate(home());
  // The modes of files are part of what builds make, and must not depend on who started the worker. The home keeps others out.
  process.umask(0o022);
  const me = whoAmI(roleOf(what), {
    ...{ said: env['SLIPWAY_WORKER_NAME'], host: hostname(), home: home() },
    ...{ pid, nowMs: Date.now() },
  });
  const log = pino({ base: { worker: me.worker, pid } });
  const stopping = createStopping();
  installRuntime(log);
  if (!what.workflows) await sweep(home(), log);
  // Only a supervisor looks for it; a worker that joins in the same home must not speak for the one that is kept.
  const ready = what.kept ? createReadyFile(home(), roleOf(what)) : NO_FILE;
  ready.remove();
  const server = serverSettings(env, serviceAddress(home(), 'temporal'));
  const connection = await connect(server);
  const converter = await dataConverter(env, 'worker');
  const post: WorkerProcess = { me, server, connection, converter, stopping, log, ready, kept: what.kept };
  try {
    await (what.queue === null ? serveWorkflows(post) : serveQueue(what.queue, post));
  } finally {
    ready.remove();
    await connection.close();
  }
}

const NO_FILE = { write: () => undefined, remove: () => undefined };

async function connect({ namespace: _, ...server }: ServerSettings): Promise<NativeConnection> {
  return NativeConnection.connect(server).catch((error: Error) => {
    throw fail(serverRefusesWorker(server.address, error.message), error);
  });
}

/** Temporal's own messages as fields of ours. Signals are ours: see stopping.ts. */
function installRuntime(log: Logger): void {
  const logger = new DefaultLogger('INFO', ({ level, message, meta }) => {
    const write = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;
    log[write[level]](meta ?? {}, message);
  });
  Runtime.install({ logger, shutdownSignals: [], workerHeartbeatInterval: BEAT_MS });
}

/** What a person can mend is told in two lines; anything else with its stack. */
function tell(error: unknown): string {
  if (error instanceof SlipwayFailure)
    return error.problems.map(({ code, message, next }) => `${code}: ${message}\n  next: ${next}`).join('\n');
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    process.stderr.write(`${tell(error)}\n`);
    process.exit(1);
  },
);
