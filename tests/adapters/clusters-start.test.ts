/** @slow */
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createPort, type Server as Port } from 'node:net';
import type { ClusterRequest } from '../../src/activities/clusters/ports.js';
import type { Agent } from '../../src/adapters/clusters/agent.js';
import type { NodePlan } from '../../src/adapters/clusters/ray-nodes.js';
import { startRay } from '../../src/adapters/clusters/ray-cluster.js';
import type { Problem } from '../../src/model/failure.js';
import { newHome } from '../support/run-body.js';

let server: Server;
/** Answers as an agent does for a port where nothing listens. */
let refusing: Port;
const alive = new Set<string>();
beforeAll(async () => {
  const summary = () => [...alive].map((at) => ({ raylet: { nodeId: at, nodeManagerAddress: at, state: 'ALIVE' } }));
  server = createServer((_, answer) => answer.end(JSON.stringify({ data: { summary: summary() } })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeAll(async () => {
  refusing = createPort((socket) => socket.end('{"failed": "Connection refused"}\n'));
  await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  for (const one of [server, refusing]) await new Promise((resolve) => one.close(resolve));
});
beforeEach(() => alive.clear());

interface Heads {
  /** The first heads end once a node asks to join them. */
  readonly endAtJoin?: number;
  /** The first heads take no clients, and end then. */
  readonly endAtClients?: number;
}

/** Machines whose `ray start` is a function. */
function machines({ endAtJoin = 0, endAtClients = 0 }: Heads): {
  readonly nodes: readonly NodePlan[];
  readonly started: readonly string[];
} {
  const started: string[] = [];
  const heads = (): number => started.filter((one) => one === '127.0.0.1').length;
  let endHead = (): void => undefined;
  const agent: Agent = {
    run: ({ argv, signal, onOutput }) =>
      new Promise((resolve, reject) => {
        const at = /--node-ip-address=(\S+)/.exec(argv.join(' '))![1]!;
        started.push(at);
        const end = (settle: () => void): void => {
          alive.delete(at);
          settle();
        };
        signal.addEventListener('abort', () => end(() => reject(signal.reason as Error)));
        if (argv.includes('--head')) endHead = () => end(() => resolve(1));
        else if (heads() <= endAtJoin) return endHead(); // joins a dead head: silent for ever
        alive.add(at);
        void onOutput('Ray runtime started.\n');
      }),
    connect: (_, port) => {
      const refuses = port === 10_001 && heads() <= endAtClients;
      if (refuses) endHead();
      const socket = connect(((refuses ? refusing : server).address() as AddressInfo).port, '127.0.0.1');
      return new Promise((resolve) => socket.once('connect', () => resolve(socket)));
    },
    end: () => Promise.resolve(),
  };
  const nodes = ['127.0.0.1', '127.0.0.2', '127.0.0.3'].map((address) => ({
    ...{ agent, address, temp: '/tmp/n', cpus: 1, objectStoreBytes: 1 },
  }));
  return { nodes, started };
}

async function started(of: Heads) {
  const made = machines(of);
  let said = '';
  const request: ClusterRequest = {
    spec: { name: 'three', manager: { by: 'local' }, nodes: 3, cpus: 1, upMs: 600_000 },
    ...{ id: 'run-1', folder: await newHome(), venv: '/venv', env: {}, confine: (command) => command },
    ...{ containers: null, signal: new AbortController().signal, log: (text: string) => void (said += text) },
  };
  let downs = 0;
  const ended = await startRay(
    { make: () => Promise.resolve(made.nodes), down: () => Promise.resolve(void (downs += 1)) },
    request,
  ).then(
    (cluster) => ({ cluster }),
    (error: { first: Problem }) => ({ problem: error.first }),
  );
  return { ended, said, downs, started: made.started };
}

test('given a head that ends while a node joins it, then all nodes are started again', async () => {
  const { ended, said, started: of } = await started({ endAtJoin: 1 });
  expect(of).toEqual(['127.0.0.1', '127.0.0.2', '127.0.0.1', '127.0.0.2', '127.0.0.3']);
  expect(said).toContain('the head ended while the other nodes started');
  expect('cluster' in ended && (await ended.cluster.nodes())).toHaveLength(3);
});

test('given a head that ends before it takes clients, then it is started again', async () => {
  const { ended, started: of } = await started({ endAtClients: 1 });
  expect(of).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.2', '127.0.0.3']);
  expect('cluster' in ended && (await ended.cluster.nodes())).toHaveLength(3);
});

test('given three heads that end, then the start fails and nothing is left', async () => {
  const { ended, downs, started: of } = await started({ endAtJoin: 3 });
  expect(ended).toMatchObject({ problem: { code: 'CLUSTER_FAILED', class: 'infra' } });
  expect(of.filter((one) => one === '127.0.0.1')).toHaveLength(3);
  expect(downs).toBe(1);
  expect(alive.size).toBe(0);
});
