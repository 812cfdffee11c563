import { join } from 'node:path';
import type { DataConverter } from '@temporalio/common';
import { Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker';
import type { Logger } from 'pino';
import { home } from '../adapters/home.js';
import type { ServerSettings } from '../adapters/temporal/settings.js';
import { CONTROL } from '../model/ids.js';
import type { Me } from './options.js';
import type { Stopping } from './stopping.js';
import { buildOptions, workflowCode, WORKFLOW_OPTIONS } from './workflow-code.js';

export interface WorkerProcess {
  readonly me: Me;
  readonly server: ServerSettings;
  readonly connection: NativeConnection;
  /** Encrypts payloads if keys are set. */
  readonly converter: DataConverter;
  readonly stopping: Stopping;
  readonly log: Logger;
  readonly ready: { write(): void };
  readonly kept: boolean;
  /** Whether the process serves a page of metrics. */
  readonly metrics: boolean;
}

export const common = ({ connection, server, me, converter }: WorkerProcess) =>
  ({
    ...{ connection, namespace: server.namespace, identity: me.identity },
    dataConverter: converter,
  }) satisfies Partial<WorkerOptions>;

/** @param deployment null: without a build id, so that the newest worker takes up every open run */
export async function serveWorkflows(shared: WorkerProcess, deployment: string | null): Promise<void> {
  const worker = await Worker.create({
    ...common(shared),
    taskQueue: CONTROL,
    ...(await workflowCode(join(home(), 'cache'), shared.converter.failureConverterPath)),
    ...WORKFLOW_OPTIONS,
    ...(deployment !== null && buildOptions(deployment)),
  });
  await run(shared, [worker], 'workflows');
}

export async function run(
  { stopping, ready, log, server }: WorkerProcess,
  workers: readonly Worker[],
  role: string,
): Promise<void> {
  if (stopping.asked.aborted) return;
  const running = Promise.all(workers.map((worker) => worker.run()));
  stopping.watch(workers);
  ready.write();
  log.info({ address: server.address, role }, 'worker polls');
  await running;
  log.info('worker has ended');
}
