import { Client, Connection, type ClientOptions, type ConnectionOptions } from '@temporalio/client';
import { fail } from '../model/failure.js';
import { CANCEL_SIGNAL } from '../model/messages.js';
import { wordTooLong } from '../model/words.js';
import { previewRerun, sayWord } from './say.js';
import { ask, isOverLimit } from './ask.js';
import type { ClientContext } from './client-context.js';
import { runEnded, serverUnreachable } from './errors.js';
import { failuresOf } from './failures.js';
import { askLatest, type Latest } from './history-chain.js';
import type { ReleaseClient } from './index.js';
import { recentRuns } from './recent.js';
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
  /** Compresses and encrypts, as the workers do. */
  readonly dataConverter: NonNullable<ClientOptions['dataConverter']>;
}

/** Connects to Temporal, or throws SERVER_UNREACHABLE. A server that goes away later is looked for every second. */
export async function connectClient(options: ConnectOptions): Promise<ReleaseClient> {
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
  const door: ClientContext = {
    client: new Client({ connection, namespace, dataConverter }),
    address,
  };
  return {
    start: (input) => startRun(door, input),
    status: (workflowId, run) => statusOf(door, workflowId, run),
    watch: (workflowId, run, signal) => watchRun(door, workflowId, run, signal),
    cancel: (workflowId, reason, run) => cancelRun(door, workflowId, reason, run),
    say: (workflowId, word, run) => sayWord(door, workflowId, word, run),
    previewRerun: (workflowId, step, run) => previewRerun(door, workflowId, step, run),
    recent: (limit) => recentRuns(door, limit),
    failures: (workflowId, run) => failuresOf(door, workflowId, run),
    workers: () => workersOf(connection.workflowService, namespace),
    pollers: (queues) => pollersOf(connection.workflowService, namespace, queues),
    close: () => connection.close(),
  };
}

/** The signal carries the reason, Temporal's own cancel the request: the run closes as CANCELED, by either. */
async function cancelRun(door: ClientContext, workflowId: string, reason: string, run?: string): Promise<void> {
  const tooLong = wordTooLong({ reason });
  if (tooLong !== null) throw fail(tooLong);
  const cancel = async ({ handle, description: { status } }: Latest): Promise<void> => {
    if (!isOpen(status.name)) throw fail(runEnded(workflowId, status.name.toLowerCase()));
    // A run that had as many signals as its server allows takes no reason, and is cancelled all the same.
    await handle.signal(CANCEL_SIGNAL, { reason }).catch((error: unknown) => {
      if (!isOverLimit(error)) throw error;
    });
    await handle.cancel();
  };
  await ask(door, `cancel ${workflowId}`, { workflowId, run }, () => askLatest(door, workflowId, run, cancel));
}
