import { Client, Connection, type ClientOptions, type ConnectionOptions } from '@temporalio/client';
import { fail } from '../model/failure.js';
import { CANCEL_SIGNAL } from '../model/messages.js';
import { actionTooLong } from '../model/actions.js';
import { previewRerun, sendAction } from './send-action.js';
import { ask, isOverLimit } from './ask.js';
import { carryOut } from './carry-out.js';
import type { ClientContext } from './client-context.js';
import { runEnded, serverUnreachable } from './errors.js';
import { failuresOf } from './failures.js';
import { bisectStatus, startBisect } from './bisect.js';
import { askLatest, type Latest } from './history-chain.js';
import type { ReleaseClient } from './index.js';
import { recentRuns } from './recent.js';
import { schedulesOf } from './schedules.js';
import { startRun } from './start.js';
import { isOpen, statusOf } from './status.js';
import { pollersOf, workersOf } from './workers.js';
import { watchRun } from './watch.js';

export interface ConnectOptions {
  /** `127.0.0.1:7233`. */
  readonly address: string;
  readonly namespace?: string;
  readonly connectTimeoutMs?: number;
  readonly tls?: ConnectionOptions['tls'];
  readonly apiKey?: string;
  /** Must match the workers' converter. */
  readonly dataConverter: NonNullable<ClientOptions['dataConverter']>;
}

/** Connects to Temporal. Throws SERVER_UNREACHABLE. Reconnects every second if the server goes down later. */
export async function openConnection(
  options: ConnectOptions,
): Promise<ClientContext & { readonly connection: Connection }> {
  const { address, namespace = 'default', connectTimeoutMs = 5000, tls, apiKey, dataConverter } = options;
  const connection = await Connection.connect({
    address,
    connectTimeout: connectTimeoutMs,
    ...(tls === undefined ? {} : { tls }),
    ...(apiKey === undefined ? {} : { apiKey }),
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 200, 'grpc.max_reconnect_backoff_ms': 1000 },
  }).catch((error: Error) => {
    throw fail(serverUnreachable(address, error.message), error);
  });
  return { client: new Client({ connection, namespace, dataConverter }), connection, address };
}

/** The typed door to Temporal. Throws SERVER_UNREACHABLE. */
export async function connectClient(options: ConnectOptions): Promise<ReleaseClient> {
  const { connection, ...context } = await openConnection(options);
  const { namespace = 'default' } = options;
  return {
    start: (input) => startRun(context, input),
    status: (workflowId, run) => statusOf(context, workflowId, run),
    watch: (workflowId, run, signal) => watchRun(context, workflowId, run, signal),
    cancel: (workflowId, reason, run) => cancelRun(context, workflowId, reason, run),
    send: (workflowId, action, run) => sendAction(context, workflowId, action, run),
    previewRerun: (workflowId, step, run) => previewRerun(context, workflowId, step, run),
    startBisect: (workflowId, input) => startBisect(context, workflowId, input),
    bisectStatus: (workflowId, run) => bisectStatus(context, workflowId, run),
    carryOut: (type, workflowId, args) => carryOut(context, type, workflowId, args),
    recent: (limit, type) => recentRuns(context, limit, type),
    failures: (workflowId, run) => failuresOf(context, workflowId, run),
    schedules: schedulesOf(context),
    workers: () => workersOf(connection.workflowService, namespace),
    pollers: (queues) => pollersOf(connection.workflowService, namespace, queues),
    close: () => connection.close(),
  };
}

/** The signal carries the reason, Temporal's own cancel the request. The run closes as CANCELED with either. */
async function cancelRun(context: ClientContext, workflowId: string, reason: string, run?: string): Promise<void> {
  const tooLong = actionTooLong({ reason });
  if (tooLong !== null) throw fail(tooLong);
  const cancel = async ({ handle, description: { status } }: Latest): Promise<void> => {
    if (!isOpen(status.name)) throw fail(runEnded(workflowId, status.name.toLowerCase()));
    // A run at its server's signal limit takes no reason, but the cancel still works.
    await handle.signal(CANCEL_SIGNAL, { reason }).catch((error: unknown) => {
      if (!isOverLimit(error)) throw error;
    });
    await handle.cancel();
  };
  await ask(context, `cancel ${workflowId}`, { workflowId, run }, () => askLatest(context, workflowId, run, cancel));
}
