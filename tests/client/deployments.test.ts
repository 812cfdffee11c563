import type { ClientContext } from '../../src/client/client-context.js';
import { deploymentsOf } from '../../src/client/deployments.js';

const CONTROL_WORKFLOWS = { name: 'control', type: 1 };
const refused = (code: number, details: string) =>
  Object.assign(new Error(`${code}: ${details}`), { code, details, metadata: {} });
const gone = () => Promise.reject(refused(5, 'not found'));

/** A namespace whose one deployment `ships` has one build `b1`, which polls these queues. */
function server(queues: readonly object[], other: Readonly<Record<string, () => Promise<unknown>>> = {}) {
  const asked: string[] = [];
  const counted: string[] = [];
  const answers: Readonly<Record<string, () => Promise<unknown>>> = {
    listWorkers: async () => ({ workersInfo: [], nextPageToken: [] }),
    listWorkerDeployments: async () => ({ workerDeployments: [{ name: 'ships' }] }),
    describeWorkerDeployment: async () => ({
      workerDeploymentInfo: { versionSummaries: [{ deploymentVersion: { buildId: 'b1' }, status: 2 }] },
    }),
    describeWorkerDeploymentVersion: async () => ({ versionTaskQueues: queues }),
    ...other,
  };
  const workflowService = new Proxy({}, { get: (_, name: string) => (asked.push(name), answers[name]) });
  const workflow = { count: async (query: string) => (counted.push(query), { count: 2 }) };
  const client = { options: { namespace: 'default' }, workflowService, workflow };
  const read = () => deploymentsOf({ client, address: 'far:7233' } as unknown as ClientContext).read();
  return { read, asked, counted };
}

test('given a build that polls the workflows of control, then it is listed with its open runs of our types', async () => {
  const { read, counted } = server([{ name: 'control', type: 2 }, CONTROL_WORKFLOWS]);
  expect((await read()).builds).toMatchObject([{ deployment: 'ships', build: 'b1', state: 'current', open: 2 }]);
  expect(counted[0]).toContain(`WorkflowType IN ('release'`);
});

test.each([
  [
    'other queues',
    server([
      { name: 'orders', type: 1 },
      { name: 'control', type: 2 },
    ]),
  ],
  ['a version that is gone', server([], { describeWorkerDeploymentVersion: gone })],
  ['a deployment that is gone', server([], { describeWorkerDeployment: gone })],
])('given a deployment of %s, then it has no build of ours', async (_, { read }) => {
  expect((await read()).builds).toEqual([]);
});

test('given no deployment, then the beats of workers are read once', async () => {
  const beat = {
    workerHeartbeat: { taskQueue: 'control', status: 1, workflowTaskSlotsInfo: { currentAvailableSlots: 1 } },
  };
  const { read, asked } = server([], {
    listWorkerDeployments: async () => ({ workerDeployments: [] }),
    listWorkers: async () => ({ workersInfo: [beat], nextPageToken: [] }),
  });
  expect(await read()).toEqual({ builds: [], unversioned: [] });
  expect(asked).toEqual(['listWorkerDeployments', 'listWorkers']);
});

test.each([
  [7, 'Worker Deployment Versions are disabled on this namespace.', 'DEPLOYMENTS_UNSUPPORTED'],
  [12, 'unknown method ListWorkerDeployments', 'DEPLOYMENTS_UNSUPPORTED'],
  [7, 'Request unauthorized.', 'SERVER_REFUSED'],
])('given the answer %d %s, then the code is %s', async (code, details, expected) => {
  const { read } = server([], { listWorkerDeployments: () => Promise.reject(refused(code, details)) });
  await expect(read()).rejects.toMatchObject({ first: { code: expected } });
});
