import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { once } from 'node:events';
import type { ClusterRequest } from '../../src/activities/clusters/ports.js';
import type { Agent, AgentProgram } from '../../src/adapters/clusters/agent.js';
import { startRay } from '../../src/adapters/clusters/ray-cluster.js';
import type { SlipwayFailure } from '../../src/model/failure.js';
import { rayParams } from '../support/a-cluster-test.js';

const HEAD = '127.0.0.1';

/** Nodes that the dashboard lists. It answers as long as the test runs, as a dashboard does before its head is up. */
let alive: readonly string[];
let dashboard: Server;
beforeEach(async () => {
  alive = [];
  dashboard = createServer((_, answer) => {
    const summary = alive.map((address) => ({
      raylet: { nodeId: address, nodeManagerAddress: address, state: 'ALIVE' },
    }));
    answer.end(JSON.stringify({ data: { summary } }));
  });
  dashboard.listen(0, '127.0.0.1');
  await once(dashboard, 'listening');
});
afterEach(() => dashboard.close());

type Start = (program: AgentProgram) => Promise<number> | number;

/** Starts a cluster of one machine on which `ray start` does these things, one for each time. */
async function started(...starts: readonly Start[]) {
  const { port } = dashboard.address() as AddressInfo;
  let times = 0;
  let isDown = false;
  const agent: Agent = {
    run: async (program) => starts[times++]!(program),
    connect: async () => connect(port, '127.0.0.1'),
    end: () => Promise.resolve(),
  };
  const node = { agent, address: HEAD, temp: '/tmp/ray', cpus: 1, objectStoreBytes: 1 };
  const machines = {
    make: async () => [node],
    down: async () => {
      isDown = true;
    },
  };
  let log = '';
  const request: ClusterRequest = {
    ...{ spec: rayParams().cluster, id: 'an-attempt', folder: '/nowhere', venv: null, env: {}, containers: null },
    ...{ confine: (command) => command, signal: new AbortController().signal, log: (text) => void (log += text) },
  };
  const end = await startRay(machines, request).then(
    (cluster) => ({ cluster, problem: null }),
    (error: SlipwayFailure) => ({ cluster: null, problem: error.first }),
  );
  return { ...end, log, times, isDown: () => isDown };
}

const dies =
  (...lines: readonly string[]): Start =>
  ({ onOutput }) => {
    void onOutput(`${lines.join('\n')}\n`);
    return 1;
  };

const lives: Start = ({ onOutput, signal }) => {
  alive = [HEAD];
  void onOutput('Ray runtime started.\n');
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(1)));
};

test('given a dashboard that answers and a head that dies, then the start fails with its last lines, and the machines are down', async () => {
  const { problem, times, isDown } = await started(dies('Starting the head', 'gcs_server: no space left on device'));
  expect(problem).toMatchObject({ code: 'CLUSTER_FAILED', class: 'infra', details: { ray: 15 } });
  expect(problem!.evidence).toContain('gcs_server: no space left on device');
  expect([times, isDown()]).toEqual([1, true]);
});

test('given a raylet that needs longer than Ray waits, then the node is started again, and the cluster is up', async () => {
  const { cluster, log, times, isDown } = await started(dies('raylet timed out during startup'), lives);
  expect(await cluster!.nodes()).toEqual([{ id: HEAD, address: HEAD, alive: true }]);
  expect(log).toContain(`the node ${HEAD} ended while it started, so it is started again`);
  expect([times, isDown()]).toEqual([2, false]);
  await cluster!.down();
  expect(isDown()).toBe(true);
});

test('given a head that says that it has started and is never alive, when it died three times, then the start fails', async () => {
  const dead = dies('Ray runtime started.');
  const { problem, times } = await started(dead, dead, dead);
  expect([problem!.code, times]).toEqual(['CLUSTER_FAILED', 3]);
});
