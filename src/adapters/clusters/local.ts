import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clusters, ClusterRequest } from '../../activities/clusters/ports.js';
import type { Programs } from '../../activities/ports.js';
import { fail } from '../../model/failure.js';
import { type Agent, startAgent, type StartedAgent } from './agent.js';
import { AGENT_SCRIPT } from './agent-script.js';
import { noNamespaces } from './errors.js';
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
        const first = start(programs, request, end.signal);
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
function start(programs: Programs, request: ClusterRequest, signal: AbortSignal): StartedAgent {
  const { folder, venv, env } = request;
  mkdirSync(folder, { recursive: true });
  const argv = apart(programs, request, [join(venv ?? '/usr', 'bin', 'python3'), '-c', AGENT_SCRIPT, SOCKET]);
  return startAgent(join(folder, SOCKET), 'its first process', (onOutput) =>
    programs.run(request.confine({ argv, cwd: folder, env, limitMs: LONGEST_MS, signal, onOutput })),
  );
}

/** Returns the program in namespaces of its own where no sandbox makes them. Throws CLUSTER_REFUSED without root. */
function apart({ noSandbox }: Programs, { spec }: ClusterRequest, argv: readonly string[]): readonly string[] {
  if (noSandbox === null) return argv;
  if (process.getuid?.() !== 0) throw fail(noNamespaces(spec.name, noSandbox ?? 'this worker cannot make sandboxes'));
  return ['unshare', '--net', '--pid', '--fork', '--kill-child', '--mount-proc', ...argv];
}
