import { Client, Connection } from '@temporalio/client';
import { foreignFault } from '../adapters/temporal/foreign-fault.js';
import { fail } from '../model/failure.js';
import { CANCEL_SIGNAL } from '../model/messages.js';
import { actionTooLong } from '../model/actions.js';
import { previewRerun, sendAction } from './send-action.js';
import { ask, isOverLimit } from './ask.js';
import { carryOut } from './carry-out.js';
import type { ClientContext } from './client-context.js';
import { runEnded, serverForeign, serverUnreachable } from './errors.js';
import { assertMark } from './assert-mark.js';
import { failuresOf } from './failures.js';
import { listBeats } from './beats.js';
import { deploymentsOf } from './deployments.js';
import { bisectStatus, startBisect } from './bisect.js';
import { askLatest, type Latest } from './history-chain.js';
import type { ConnectOptions, ReleaseClient } from './index.js';
import { recentRuns } from './recent.js';
import { converterOf, serverOf } from './server.js';
import { schedulesOf } from './schedules.js';
import { startRun } from './start.js';
import { isOpen, statusOf } from './status.js';
import { pollersOf, workersOf } from './workers.js';
import { followRun, lastStatus } from './follow.js';

type Opened = ClientContext & { readonly connection: Connection };

/** Connects to Temporal. Throws what `connect` throws. Reconnects every second if the server goes down later. */
export async function openConnection(options: ConnectOptions = {}): Promise<Opened> {
  const settings = serverOf(options);
  const dataConverter = await converterOf(options);
  const { namespace, mark: _, ...server } = settings;
  const { address } = server;
  const connectTimeout = options.connectTimeoutMs ?? 5000;
  const connection = await Connection.connect({
    ...{ ...server, connectTimeout },
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 200, 'grpc.max_reconnect_backoff_ms': 1000 },
  }).catch(async (error: Error) => {
    const fault = await foreignFault(settings);
    throw fail(fault === null ? serverUnreachable(address, error.message) : serverForeign(address, fault), error);
  });
  const context = { client: new Client({ connection, namespace, dataConverter }), connection, address };
  await ask(context, `show the namespace ${namespace}`, { workflowId: '' }, () =>
    connection.withDeadline(Date.now() + connectTimeout, () => assertMark(connection.workflowService, settings)),
  ).catch(async (error: unknown) => {
    await connection.close();
    throw error;
  });
  return context;
}

/** Returns the typed door to Temporal. */
export function releaseClient({ connection, ...context }: Opened): ReleaseClient {
  const { namespace } = context.client.options;
  return {
    start: (input) => startRun(context, input),
    status: (workflowId, run) => statusOf(context, workflowId, run),
    follow: (workflowId, run, signal) => followRun(context, workflowId, run, signal),
    result: (workflowId, run) => lastStatus(context, workflowId, run),
    cancel: (workflowId, reason, run, by) =>
      cancelRun(context, workflowId, { reason, ...(by !== undefined && { by }) }, run),
    act: (workflowId, action, run) => sendAction(context, workflowId, action, run),
    previewRerun: (workflowId, step, run) => previewRerun(context, workflowId, step, run),
    startBisect: (workflowId, input) => startBisect(context, workflowId, input),
    bisectStatus: (workflowId, run) => bisectStatus(context, workflowId, run),
    carryOut: (type, workflowId, args) => carryOut(context, type, workflowId, args),
    runs: (limit, type) => recentRuns(context, limit, type),
    failures: (workflowId, run) => failuresOf(context, workflowId, run),
    schedules: schedulesOf(context),
    deployments: deploymentsOf(context),
    workers: () => workersOf(connection.workflowService, namespace, listBeats),
    pollers: (queues) => pollersOf(connection.workflowService, namespace, queues),
    close: () => connection.close(),
  };
}

/** The signal carries the reason, Temporal's own cancel the request. The run closes as CANCELED with either. */
async function cancelRun(
  context: ClientContext,
  workflowId: string,
  said: { readonly reason: string; readonly by?: string },
  run?: string,
): Promise<void> {
  const tooLong = actionTooLong(said);
  if (tooLong !== null) throw fail(tooLong);
  const cancel = async ({ handle, description: { status } }: Latest): Promise<void> => {
    if (!isOpen(status.name)) throw fail(runEnded(workflowId, status.name.toLowerCase()));
    // A run at its server's signal limit takes no reason, but the cancel still works.
    await handle.signal(CANCEL_SIGNAL, said).catch((error: unknown) => {
      if (!isOverLimit(error)) throw error;
    });
    await handle.cancel();
  };
  await ask(context, `cancel ${workflowId}`, { workflowId, run }, () => askLatest(context, workflowId, run, cancel));
}
