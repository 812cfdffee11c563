import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Client, WithStartWorkflowOperation, WorkflowUpdateFailedError } from '@temporalio/client';
import type { IndexPruner, IndexWriter } from '../../activities/index/ports.js';
import { fail } from '../../model/failure.js';
import { CONTROL } from '../../model/ids.js';
import { INDEX_WORKFLOW, LIST, MOST_REQUESTS, RENEWING } from '../../model/index-writer.js';
import type { IndexRequest, ListAnswer, ListOutcome } from '../../model/index-writer.js';
import { indexWriterSilent } from './errors.js';

/** A server accepts few updates of one workflow at once, and a writer may end while a request arrives. */
const TRIES = 200;
const LONGEST_WAIT_MS = 500;

interface Asked {
  readonly request: IndexRequest;
  resolve(answer: ListAnswer): void;
  reject(error: unknown): void;
}

/** Asks the workflow of an index, which its first request starts. Requests of this process for one index that come
 * while another is under way are sent together. */
export function createIndexWriter(client: Pick<Client, 'workflow'>): IndexWriter & IndexPruner {
  const queues = new Map<string, Asked[]>();
  const serve = async (address: string, queue: Asked[]): Promise<void> => {
    while (queue.length > 0) await send(client, address, queue.splice(0, MOST_REQUESTS));
    queues.delete(address);
  };
  const ask = (address: string, request: IndexRequest): Promise<ListAnswer> =>
    new Promise((resolve, reject) => {
      const queue = queues.get(address);
      const asked: Asked = { request, resolve, reject };
      if (queue !== undefined) return void queue.push(asked);
      const first = [asked];
      queues.set(address, first);
      void serve(address, first);
    });
  return { list: ask, prune: ask };
}

/** `index/srv/wheels-1f2e3d4c`: readable, and different for addresses that differ in any character. */
export function indexWorkflowId(address: string): string {
  const readable = address
    .replace(/^\w+:\/*/, '')
    .replace(/[^\w.-]+/g, '/')
    .replace(/^\/+|\/+$/g, '')
    .slice(0, 100);
  return `${INDEX_WORKFLOW}/${readable}-${createHash('sha256').update(address).digest('hex').slice(0, 8)}`;
}

/** Never rejects: each request gets its own answer. */
async function send(client: Pick<Client, 'workflow'>, address: string, batch: readonly Asked[]): Promise<void> {
  try {
    const outcomes = await patiently(
      client,
      address,
      batch.map(({ request }) => request),
    );
    for (const [at, { resolve, reject }] of batch.entries()) {
      const outcome = outcomes[at]!;
      if ('problems' in outcome) reject(fail(outcome.problems));
      else resolve(outcome);
    }
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

async function patiently(
  { workflow }: Pick<Client, 'workflow'>,
  address: string,
  requests: readonly IndexRequest[],
): Promise<readonly ListOutcome[]> {
  const workflowId = indexWorkflowId(address);
  for (let tries = 1; ; tries += 1) {
    try {
      const start = new WithStartWorkflowOperation(INDEX_WORKFLOW, {
        ...{ workflowId, taskQueue: CONTROL, args: [], workflowIdConflictPolicy: 'USE_EXISTING' as const },
        staticSummary: `pages of ${address}`,
      });
      const asked = { args: [requests] as [readonly IndexRequest[]], startWorkflowOperation: start };
      return await workflow.executeUpdateWithStart<() => Promise<void>, readonly ListOutcome[], typeof asked.args>(
        LIST,
        asked,
      );
    } catch (error) {
      if (isRefused(error)) throw error;
      if (tries >= TRIES) throw fail(indexWriterSilent(workflowId, (error as Error).message), error);
      await wait(Math.random() * Math.min(LONGEST_WAIT_MS, 10 * 2 ** tries));
    }
  }
}

/** Whether the writer itself refused. A writer that continues as new, or that ended meanwhile, is asked again. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof WorkflowUpdateFailedError)) return false;
  const { type } = (error.cause ?? {}) as { type?: string };
  return type !== RENEWING && type !== 'AcceptedUpdateCompletedWorkflow';
}
