import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { CONTROL } from '../../src/model/ids.js';
import { STATUS_QUERY } from '../../src/model/messages.js';
import { homeWithWorkflows } from '../support/shared-cache.js';
import { startWorkerProcess, untilServed } from '../support/worker-process.js';
import { startTemporal } from '../temporal-env.js';

export interface CanaryWorld {
  readonly home: string;
  readonly env: TestWorkflowEnvironment;
  /** Kills the worker that builds and tests, and starts another. */
  replaceBuilder(): void;
  close(): Promise<void>;
}

/** A server with its database in the home, and workers that have this secret as $CANARY.
 * @param more variables of the workers */
export async function aWorldWith(secret: string, more: NodeJS.ProcessEnv = {}): Promise<CanaryWorld> {
  const home = await homeWithWorkflows();
  mkdirSync(join(home, 'temporal'));
  const env = await startTemporal(join(home, 'temporal', 'server.db'));
  const start = (...role: readonly string[]): ChildProcess =>
    startWorker(home, env.address, { CANARY: secret, ...more }, role);
  const builder = ['--queue', 'linux-x86_64'];
  const children = [start('--workflows'), start('--queue', CONTROL), start(...builder)];
  await untilServed(env.connection, CONTROL, 'linux-x86_64');
  const replaceBuilder = (): void => {
    children.at(-1)!.kill('SIGKILL');
    children.push(start(...builder));
  };
  const close = async (): Promise<void> => {
    children.forEach((child) => child.kill('SIGKILL'));
    await env.teardown();
  };
  return { home, env, replaceBuilder, close };
}

function startWorker(home: string, address: string, more: NodeJS.ProcessEnv, role: readonly string[]): ChildProcess {
  const own = { ...process.env, SLIPWAY_HOME: home, TEMPORAL_ADDRESS: address, SLIPWAY_ROOTS: tmpdir() };
  return startWorkerProcess(role, { ...own, ...more });
}

/** All that the server answers about its workflows: histories, descriptions, queries. Payloads are text. */
export async function everythingTheServerTells({ client }: TestWorkflowEnvironment): Promise<string> {
  const told: unknown[] = [];
  for await (const { workflowId, runId } of client.workflow.list()) {
    const handle = client.workflow.getHandle(workflowId, runId);
    told.push(await handle.fetchHistory(), await handle.describe(), await handle.query(STATUS_QUERY).catch(() => null));
    told.push(await handle.query('__temporal_workflow_metadata').catch(() => null));
  }
  return JSON.stringify(told, (_key, value: unknown) => {
    const data = (value as { data?: unknown } | null)?.data;
    const isBytes = data instanceof Uint8Array || (data as { type?: string } | undefined)?.type === 'Buffer';
    if (!isBytes) return typeof value === 'bigint' ? String(value) : value;
    const bytes = Buffer.from(data instanceof Uint8Array ? data : (data as { data: number[] }).data);
    return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString();
  });
}
