import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterContainers, ClusterRequest, Clusters } from '../../activities/clusters/ports.js';
import type { ClusterSpec } from '../../model/tests/cluster.js';
import type { DockerMachines } from '../docker/index.js';
import { type Agent, startAgent } from './agent.js';
import { AGENT_SCRIPT } from './agent-script.js';
import { LONGEST_MS, OBJECT_STORE_BYTES } from './limits.js';
import { type Machines, startRay } from './ray-cluster.js';
import type { NodePlan } from './ray-nodes.js';

const MIB = 1024 * 1024;
/** Part of a node's memory for objects, as Ray has it. */
const OBJECTS_PART = 0.3;
const OWN_ADDRESS = 'import socket; print(socket.gethostbyname(socket.gethostname()))';

/** A container for each node, on a network without a way out. The worker talks to the agents by sockets in the shared folder. */
export const createDockerClusters = (docker: DockerMachines): Clusters => ({
  up: async (request) => {
    const end = new AbortController();
    const network = await docker.network(request.signal);
    const running: Promise<unknown>[] = [];
    const inside = { ...request, env: { ...request.env, HOME: '/tmp', TMPDIR: '/tmp' } };
    const machines: Machines = {
      make: async () => {
        const made = Array.from({ length: request.spec.nodes }, (_, index) =>
          startMachine(docker, inside, network.name, index + 1, end.signal),
        );
        running.push(...made.map(({ ended }) => ended));
        return Promise.all(made.map(({ node }) => node));
      },
      down: async () => {
        end.abort();
        await Promise.allSettled(running);
        await network.remove();
      },
    };
    return startRay(machines, inside);
  },
});

interface Machine {
  readonly node: Promise<NodePlan>;
  readonly ended: Promise<unknown>;
}

/** Starts a container whose first process is an agent. */
function startMachine(
  docker: DockerMachines,
  request: ClusterRequest,
  network: string,
  number: number,
  signal: AbortSignal,
): Machine {
  const { folder, venv, env, spec, id, containers } = request;
  mkdirSync(folder, { recursive: true });
  const socket = join(folder, `node${number}.sock`);
  const { image, readOnly } = containers ?? NO_CONTAINERS;
  const { agent, ended } = startAgent(socket, `the container of node ${number}`, (onOutput) =>
    docker.run({
      ...{ image, network, env, signal, onOutput, platform: null, cwd: folder, limitMs: LONGEST_MS },
      argv: [join(venv ?? '/usr', 'bin', 'python'), '-c', AGENT_SCRIPT, socket],
      mounts: [
        { host: folder, path: folder, writable: true },
        ...[...new Set(readOnly)].map((path) => ({ host: path, path, writable: false })),
      ],
      memory: memoryOf(spec),
      labels: { 'slipway.cluster': id, 'slipway.node': String(number) },
    }),
  );
  const node = agent.then((one) => nodeOf(one, request));
  node.catch(() => undefined);
  return { node, ended };
}

const NO_CONTAINERS: ClusterContainers = { image: '', readOnly: [] };

async function nodeOf(agent: Agent, { venv, env, folder, signal, spec }: ClusterRequest): Promise<NodePlan> {
  let address = '';
  const argv = [join(venv ?? '/usr', 'bin', 'python'), '-c', OWN_ADDRESS];
  await agent.run({ argv, cwd: folder, env, signal, onOutput: (text) => void (address += text) });
  return {
    agent,
    address: address.trim(),
    temp: '/tmp/ray',
    cpus: spec.cpus,
    objectStoreBytes: memoryOf(spec).sharedBytes,
  };
}

function memoryOf({ manager }: ClusterSpec): { readonly limitBytes: number | null; readonly sharedBytes: number } {
  const limitBytes = manager.by === 'docker' && manager.memoryMiB !== null ? manager.memoryMiB * MIB : null;
  const sharedBytes = limitBytes === null ? OBJECT_STORE_BYTES : Math.floor(limitBytes * OBJECTS_PART);
  return { limitBytes, sharedBytes };
}
