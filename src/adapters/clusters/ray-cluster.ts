import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster, ClusterLine, ClusterRequest } from '../../activities/clusters/ports.js';
import { fail, SlipwayFailure } from '../../model/failure.js';
import { quoted } from '../../model/quoted.js';
import { aborted } from '../aborted.js';
import { clusterFailed, clusterNotUp } from './errors.js';
import { AgentGone } from './fault.js';
import { runJob } from './ray-jobs.js';
import { addressOf, CLIENT_PORT, type NodePlan, type NodeRunning, nodesSeen } from './ray-nodes.js';
import { dashboardOf, nodeEnv, startAll } from './start-all.js';

/** Output that has been silent for this long after the end is complete. */
const QUIET_MS = 400;
const LAST_OUTPUT_MS = 5_000;

/** Machines on which nodes can be started. */
export interface Machines {
  /** Makes them, the head first. */
  make(): Promise<readonly NodePlan[]>;
  /** Ends all of them. Never throws. */
  down(): Promise<void>;
}

/** Starts Ray on machines, one node after another. Throws CLUSTER_FAILED or CLUSTER_NOT_UP; the machines are down then. */
export async function startRay(machines: Machines, request: ClusterRequest): Promise<Cluster> {
  const { spec, signal } = request;
  const said: string[] = [];
  const log = (text: string): void => {
    said.push(...text.split('\n').filter((line) => line !== ''));
    said.splice(0, said.length - 20);
    request.log(text);
  };
  const end = new AbortController();
  const late = AbortSignal.timeout(spec.upMs);
  const starting = AbortSignal.any([end.signal, late, signal]);
  const down = async (): Promise<null> => {
    end.abort();
    await machines.down();
    return null;
  };
  try {
    const nodes = await Promise.race([machines.make(), aborted(starting)]);
    const head = await startAll(nodes, { ...request, log }, starting, end.signal);
    return clusterOf(nodes[0]!, head, request, down);
  } catch (error) {
    await down();
    signal.throwIfAborted();
    if (error instanceof SlipwayFailure) throw error;
    if (late.aborted) throw fail(clusterNotUp(spec.name, spec.upMs, said), error);
    throw fail(clusterFailed(spec.name, (error as Error).message.split('\n').at(-1) ?? '', said), error);
  }
}

function clusterOf(
  head: NodePlan,
  running: NodeRunning,
  { env, venv, folder }: ClusterRequest,
  down: Cluster['down'],
): Cluster {
  const dashboard = dashboardOf(head);
  const gone = running.ended.then(() => null);
  const onHead = ({ script, signal, onOutput }: ClusterLine, address: string): Promise<number> =>
    head.agent.run({
      argv: ['sh', script],
      cwd: folder,
      env: { ...nodeEnv(env, venv), RAY_ADDRESS: address },
      signal,
      onOutput,
    });
  const run = (line: ClusterLine): Promise<number | null> => {
    switch (line.by) {
      case 'job':
        return runJob(dashboard, { ...line, entrypoint: `exec sh ${quoted(line.script)}` }, (signal) =>
          follow(head, line, { folder, env, signal }),
        );
      case 'client':
        return onHead(line, `ray://${head.address}:${CLIENT_PORT}`);
      case 'command':
      case 'sdk':
        return onHead(line, addressOf(head));
      default:
        return line.by satisfies never;
    }
  };
  return {
    at: folder,
    shared: true,
    handle: null,
    nodes: () => nodesSeen(dashboard),
    put: () => Promise.resolve(),
    get: () => Promise.resolve(),
    run: (line) =>
      Promise.race([run(line), gone]).catch((error: unknown) => {
        if (error instanceof AgentGone) return null;
        throw error;
      }),
    down,
  };
}

/** Writes the output of a job until it has ended and is silent. */
async function follow(
  { agent, temp }: NodePlan,
  { id, onOutput }: ClusterLine,
  { folder, env, signal }: Pick<ClusterRequest, 'folder' | 'env' | 'signal'>,
): Promise<void> {
  const end = new AbortController();
  let heardMs = performance.now();
  const tail = agent.run({
    argv: ['tail', '-n', '+1', '-F', `${temp}/session_latest/logs/job-driver-${id}.log`],
    ...{ cwd: folder, env, signal: end.signal },
    onOutput: (text) => {
      heardMs = performance.now();
      return onOutput(text);
    },
  });
  const over = (): Promise<void> => new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
  await Promise.race([over(), tail.catch(() => undefined)]);
  const untilMs = performance.now() + LAST_OUTPUT_MS;
  heardMs = performance.now();
  while (performance.now() - heardMs < QUIET_MS && performance.now() < untilMs) await pause(QUIET_MS / 4);
  end.abort();
  await tail.catch(() => undefined);
}
