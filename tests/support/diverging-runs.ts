import { Client, Connection } from '@temporalio/client';
import type { HistoryAndWorkflowId } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { WORKER_CONVERTER } from './converter.js';

const OURS = 'WorkflowType = "release"';
const excused: string[] = [];

/** Leaves out runs whose id begins like that: the suite changed their code on purpose. */
export const doNotReplay = (...workflowIds: readonly string[]): void => void excused.push(...workflowIds);

/** A page of a history may hold 256 events of some hundred kilobytes. */
const PAGE_BYTES = 256 * 1024 * 1024;
/** The suite's key opened it; a replay here has none. */
const isEncrypted = ({ message }: Error): boolean => message.includes('CODEC_KEY_MISSING');

/** Replays all runs on a server by one worker. Returns a line for each that its own code does not follow. */
export async function divergingRuns(address: string, workflowBundle: { code: string }): Promise<readonly string[]> {
  const channelArgs = { 'grpc.max_receive_message_length': PAGE_BYTES };
  const connection = await Connection.connect({ address, channelArgs });
  const found: string[] = [];
  const replays = Worker.runReplayHistories({ workflowBundle, dataConverter: WORKER_CONVERTER }, histories(connection));
  for await (const { workflowId, error } of replays)
    if (error !== undefined && !isEncrypted(error)) found.push(`${workflowId}: ${error.message.slice(0, 400)}`);
  await connection.close();
  return found;
}

async function* histories(connection: Connection): AsyncIterable<HistoryAndWorkflowId> {
  const { workflow } = new Client({ connection });
  for (const { workflowId, runId } of await runsOn(connection))
    if (!excused.some((id) => workflowId.startsWith(id)))
      yield { workflowId, history: await workflow.getHandle(workflowId, runId).fetchHistory() };
}

/** All runs of a suite, by their ids alone: `client.workflow.list` would decode memos, which may be encrypted. */
async function runsOn({ workflowService }: Connection): Promise<readonly { workflowId: string; runId: string }[]> {
  const { executions } = await workflowService.listWorkflowExecutions({
    ...{ namespace: 'default', query: OURS, pageSize: MOST_RUNS },
  });
  return executions.map(({ execution }) => ({ workflowId: execution!.workflowId!, runId: execution!.runId! }));
}
const MOST_RUNS = 1000;
