import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { NodeSeen } from '../../activities/clusters/ports.js';
import type { Agent } from './agent.js';
import type { Dashboard } from './dashboard.js';
import { ClusterFault } from './fault.js';
import { nodesIn } from './nodes-answer.js';

const PORT = 6379;
export const DASHBOARD_PORT = 8265;
export const CLIENT_PORT = 10_001;
const POLL_MS = 300;
const QUIET_MS = 500;
const TRIES = 3;
/** A line of Ray: it does not wait for a raylet that needs more than 30 s to start. */
const SLOW_START = 'timed out during startup';
const STARTED = 'Ray runtime started';

/** One node before it is started. */
export interface NodePlan {
  readonly agent: Agent;
  readonly address: string;
  /** A short path: sockets of Ray lie below it. */
  readonly temp: string;
  readonly cpus: number;
  readonly objectStoreBytes: number;
}

export interface NodeSurroundings {
  readonly ray: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly log: (text: string) => void;
}

/** A node that runs. `ended` resolves when it has ended by itself or by the signal. */
export interface NodeRunning {
  readonly ended: Promise<void>;
}

/** Starts a node. Resolves once the dashboard of the head lists it as alive. `ray start` ends if the raylet needs longer than Ray's
 * own limit; the node is then started again, up to `TRIES` times. Throws ClusterFault with the last lines of a node that ends.
 * @param head null if the node is the head itself */
export async function startNode(
  plan: NodePlan,
  head: NodePlan | null,
  dashboard: Dashboard,
  around: NodeSurroundings,
): Promise<NodeRunning> {
  for (let attempt = 1; ; attempt += 1) {
    const node = begin(plan, head, around);
    const isUp = async (): Promise<boolean> =>
      node.said().includes(STARTED) &&
      (await isAlive(plan, dashboard)) &&
      (head !== null || (await takesClients(plan)));
    while (!node.isOver() && !(await isUp())) await Promise.race([node.ended, pause(POLL_MS)]);
    around.signal.throwIfAborted();
    if (!node.isOver()) return node;
    const isSlow = [SLOW_START, STARTED].some((sign) => node.said().includes(sign));
    if (attempt >= TRIES || !isSlow) throw new ClusterFault(lastLines(node.said()));
    around.log(`the node ${plan.address} ended while it started, so it is started again\n`);
  }
}

/** The dashboard answers before the head is up. */
const isAlive = async ({ address }: NodePlan, dashboard: Dashboard): Promise<boolean> =>
  (await nodesSeen(dashboard).catch(() => [])).some((node) => node.alive && node.address === address);

/** The server of Ray's clients is the last to come up. Where it waits too long for the raylet it ends, and the head with it. */
async function takesClients({ agent, address }: NodePlan): Promise<boolean> {
  const socket = await agent.connect(address, CLIENT_PORT).catch(() => null);
  if (socket === null) return false;
  try {
    // The agent says at once that nothing listens there. A server may be silent.
    const first = await Promise.race([
      once(socket, 'data'),
      once(socket, 'close').then(() => null),
      pause(QUIET_MS, []),
    ]);
    return first !== null && !String(first[0] ?? '').startsWith('{"failed"');
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

interface Beginning extends NodeRunning {
  said(): string;
  isOver(): boolean;
}

function begin(plan: NodePlan, head: NodePlan | null, { ray, cwd, env, signal, log }: NodeSurroundings): Beginning {
  let said = '';
  let over = false;
  const ended = plan.agent
    .run({
      argv: [ray, 'start', ...argumentsOf(plan, head)],
      ...{ cwd, env, signal, leader: true },
      onOutput: (text) => {
        said = (said + text).slice(-20_000);
        log(text);
      },
    })
    .then((code) => `ray start ended with status ${code}`)
    .catch((error: Error) => error.message)
    .then((why) => {
      said += `\n${why}`;
      over = true;
    });
  return { ended, said: () => said, isOver: () => over };
}

function argumentsOf(plan: NodePlan, head: NodePlan | null): readonly string[] {
  const own = [
    '--block',
    '--disable-usage-stats',
    `--node-ip-address=${plan.address}`,
    `--num-cpus=${plan.cpus}`,
    `--object-store-memory=${plan.objectStoreBytes}`,
    `--temp-dir=${plan.temp}`,
  ];
  if (head !== null) return [`--address=${head.address}:${PORT}`, ...own];
  return [
    '--head',
    `--port=${PORT}`,
    `--dashboard-host=${plan.address}`,
    `--dashboard-port=${DASHBOARD_PORT}`,
    `--ray-client-server-port=${CLIENT_PORT}`,
    ...own,
  ];
}

export const addressOf = ({ address }: NodePlan): string => `${address}:${PORT}`;

const lastLines = (text: string): string =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-20)
    .join('\n');

/** Nodes as the head's dashboard has them. It answers before the head is up: then there are none. */
export async function nodesSeen(dashboard: Dashboard): Promise<readonly NodeSeen[]> {
  const { status, text } = await dashboard.ask('GET', '/nodes?view=summary');
  if (status !== 200) throw new ClusterFault(`the dashboard answered with status ${status}`);
  return nodesIn(text);
}
