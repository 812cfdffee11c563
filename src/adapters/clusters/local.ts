import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clusters, ClusterRequest } from '../../activities/clusters/ports.js';
import type { Command, Programs } from '../../activities/ports.js';
import { fail } from '../../model/failure.js';
import { type Agent, createAgent } from './agent.js';
import { AGENT_SCRIPT } from './agent-script.js';
import { noNamespaces } from './errors.js';
import { ClusterFault } from './fault.js';
import { LONGEST_MS, OBJECT_STORE_BYTES } from './limits.js';
import type { NodePlan } from './ray-nodes.js';
import { type Machines, startRay } from './ray-cluster.js';

const SOCKET = 'agent.sock';

/** Processes on this machine, in a namespace of network and processes that ends as a whole. Node n has the address 127.0.0.n. */
export const createLocalClusters = (programs: Programs): Clusters => ({
  up: async (asked) => {
    // The sandbox shows its temporary folder as /tmp, and sockets need short paths.
    const request = programs.noSandbox === null ? { ...asked, env: { ...asked.env, TMPDIR: '/tmp' } } : asked;
    const end = new AbortController();
    let ended: Promise<void> = Promise.resolve();
    const machines: Machines = {
      make: async () => {
        const first = startAgent(programs, request, end.signal);
        ended = first.ended;
        const agent = await first.agent;
        return Array.from({ length: request.spec.nodes }, (_, index) => nodeOf(index + 1, agent, request));
      },
      down: async () => {
        end.abort();
        await ended;
      },
    };
    return startRay(machines, request);
  },
});

const nodeOf = (number: number, agent: Agent, { spec }: ClusterRequest): NodePlan => ({
  agent,
  address: `127.0.0.${number}`,
  temp: `/tmp/n${number}`,
  cpus: spec.cpus,
  objectStoreBytes: OBJECT_STORE_BYTES,
});

/** Starts the agent. Its end is the end of all other processes of the namespace. */
function startAgent(
  programs: Programs,
  request: ClusterRequest,
  signal: AbortSignal,
): { readonly agent: Promise<Agent>; readonly ended: Promise<void> } {
  const { folder, venv, env } = request;
  mkdirSync(folder, { recursive: true });
  let said = '';
  let isReady!: () => void;
  const ready = new Promise<void>((resolve) => (isReady = resolve));
  const command: Command = {
    argv: apart(programs, request, [join(venv ?? '/usr', 'bin', 'python3'), '-c', AGENT_SCRIPT, SOCKET]),
    cwd: folder,
    env,
    limitMs: LONGEST_MS,
    signal,
    onOutput: (text) => {
      said = (said + text).slice(-4000);
      if (said.includes('ready\n')) isReady();
    },
  };
  const ended = programs.run(request.confine(command)).then(
    () => undefined,
    (error: Error) => void (said += error.message),
  );
  const early = ended.then(() => Promise.reject(new ClusterFault(`its first process ended: ${said}`)));
  const agent = Promise.race([ready, early]).then(() => createAgent(join(folder, SOCKET)));
  agent.catch(() => undefined);
  return { agent, ended };
}

/** Returns the program in namespaces of its own where no sandbox makes them. Throws CLUSTER_REFUSED without root. */
function apart({ noSandbox }: Programs, { spec }: ClusterRequest, argv: readonly string[]): readonly string[] {
  if (noSandbox === null) return argv;
  if (process.getuid?.() !== 0) throw fail(noNamespaces(spec.name, noSandbox ?? 'this worker cannot make sandboxes'));
  return ['unshare', '--net', '--pid', '--fork', '--kill-child', '--mount-proc', ...argv];
}
