import type { ClusterRequest } from '../../activities/clusters/ports.js';
import { aborted } from '../aborted.js';
import { createDashboard, type Dashboard } from './dashboard.js';
import { ClusterFault } from './fault.js';
import { DASHBOARD_PORT, type NodePlan, type NodeRunning, startNode } from './ray-nodes.js';

const TRIES = 3;

/** A head that is slow may end when it has just started: some of its processes wait no longer than 30 s for its raylet. A node that joins
 * it then would wait for ever, so all nodes are started again.
 * @param starting ends the start @param living ends the nodes */
export async function startAll(
  nodes: readonly NodePlan[],
  request: ClusterRequest,
  starting: AbortSignal,
  living: AbortSignal,
): Promise<NodeRunning> {
  for (let attempt = 1; ; attempt += 1) {
    const over = new AbortController();
    const nodesOf = startOnce(nodes, request, { starting, living: AbortSignal.any([living, over.signal]) });
    try {
      return await nodesOf.head;
    } catch (error) {
      if (!(error instanceof HeadEnded) || attempt >= TRIES) throw error;
      request.log('the head ended while the other nodes started, so all nodes are started again\n');
      over.abort();
      await Promise.race([nodesOf.ended(), aborted(starting)]);
    }
  }
}

class HeadEnded extends ClusterFault {
  constructor() {
    super('the head ended while the other nodes started');
  }
}

interface Starting {
  /** The head, when all nodes are there. */
  readonly head: Promise<NodeRunning>;
  /** Resolves when no process of a node is left. */
  ended(): Promise<unknown>;
}

function startOnce(
  [first, ...others]: readonly NodePlan[],
  { venv, folder, env, log }: ClusterRequest,
  { starting, living }: { readonly starting: AbortSignal; readonly living: AbortSignal },
): Starting {
  const around = { ray: `${venv}/bin/ray`, cwd: folder, env: nodeEnv(env, venv), signal: living, log };
  const dashboard = dashboardOf(first!);
  const begun: Promise<NodeRunning>[] = [];
  const start = (node: NodePlan, head: NodePlan | null): Promise<NodeRunning> => {
    const running = startNode(node, head, dashboard, around);
    begun.push(running);
    return Promise.race([running, aborted(starting)]);
  };
  const all = async (): Promise<NodeRunning> => {
    const head = await start(first!, null);
    const gone = head.ended.then(() => Promise.reject(new HeadEnded()));
    gone.catch(() => undefined);
    for (const node of others) await Promise.race([start(node, first!), gone]);
    return head;
  };
  return {
    head: all(),
    ended: () => Promise.allSettled(begun.map(async (one) => (await one).ended)),
  };
}

export const dashboardOf = ({ agent, address }: NodePlan): Dashboard =>
  createDashboard(() => agent.connect(address, DASHBOARD_PORT));

export const nodeEnv = (env: Readonly<Record<string, string>>, venv: string | null): Record<string, string> => ({
  ...env,
  ...(venv !== null && { VIRTUAL_ENV: venv, PATH: `${venv}/bin:${env['PATH'] ?? ''}` }),
  PYTHONUNBUFFERED: '1',
  RAY_USAGE_STATS_ENABLED: '0',
});
