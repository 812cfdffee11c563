import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DefaultLogger, NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import pino, { type Logger } from 'pino';
import { home } from '../adapters/home.js';
import { CONTROL } from '../model/ids.js';
import { runActivities, stepActivities } from './activities.js';
import { createFleet } from './fleet.js';
import { readArguments, slotsOf, USAGE, workerName, type WorkerArguments } from './options.js';
import { createReadyFile } from './ready.js';
import { serviceAddress, surroundings } from './surroundings.js';
import { sweep } from './sweep.js';

const DEFAULT_ADDRESS = '127.0.0.1:7233';

async function main(): Promise<void> {
  const what = readArguments(process.argv.slice(2));
  if (what === null) {
    process.stderr.write(`${USAGE}\n`);
    process.exitCode = 2;
    return;
  }
  const name = workerName(what);
  const log = pino({ base: { worker: name, pid: process.pid } });
  installRuntime(log);
  if (!what.workflows) await sweep(home(), log);
  const ready = createReadyFile(home(), name);
  ready.remove();
  const connection = await NativeConnection.connect({ address: address() });
  try {
    const worker = await Worker.create({
      ...shared(connection),
      identity: `${name}/${process.pid}@${hostname()}`,
      ...(await optionsFor(what, connection)),
    });
    const run = worker.run();
    ready.write();
    log.info({ address: address() }, 'worker polls');
    await run;
  } finally {
    ready.remove();
    await connection.close();
  }
}

const address = (): string => process.env['TEMPORAL_ADDRESS'] ?? serviceAddress(home(), 'temporal') ?? DEFAULT_ADDRESS;

function shared(connection: NativeConnection): Pick<WorkerOptions, 'connection' | 'namespace' | 'shutdownGraceTime'> {
  return { connection, namespace: namespace(), shutdownGraceTime: '10s' };
}

const namespace = (): string => process.env['TEMPORAL_NAMESPACE'] ?? 'default';

/** Time-outs of engine.md: takeover after a crash and notice of a cancel within a second. */
async function optionsFor(
  what: WorkerArguments,
  connection: NativeConnection,
): Promise<Omit<WorkerOptions, 'connection'>> {
  if (what.queue === null) {
    return { taskQueue: CONTROL, ...workflowCode(), stickyQueueScheduleToStartTimeout: '200ms' };
  }
  const around = await surroundings(what.queue);
  const ofRuns = what.queue === CONTROL ? runActivities(around, createFleet(connection, namespace())) : {};
  return {
    taskQueue: what.queue,
    activities: { ...stepActivities(around), ...ofRuns },
    maxConcurrentActivityTaskExecutions: slotsOf(what.queue),
    maxHeartbeatThrottleInterval: '500ms',
    defaultHeartbeatThrottleInterval: '500ms',
  };
}

/** Bundled at build time where `npm run build` did so, else now. */
function workflowCode(): Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'> {
  const bundle = join(__dirname, '..', 'workflows.bundle.js');
  if (existsSync(bundle)) return { workflowBundle: { codePath: bundle } };
  return { workflowsPath: join(__dirname, '..', 'workflows', 'index.js') };
}

/** Temporal's own messages as fields of ours; signals end the worker after its grace time. */
function installRuntime(log: Logger): void {
  const logger = new DefaultLogger('INFO', ({ level, message, meta }) => {
    const write = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;
    log[write[level]](meta ?? {}, message);
  });
  Runtime.install({ logger, shutdownSignals: ['SIGTERM', 'SIGINT', 'SIGHUP'] });
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
