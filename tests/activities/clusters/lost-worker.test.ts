import { makeBodies } from '../../../src/activities/kind-bodies.js';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { clusterService } from '../../../src/model/outage.js';
import { fail, type Problem } from '../../../src/model/failure.js';
import type { Step } from '../../../src/model/plan.js';
import type { ClusterManager } from '../../../src/model/tests/cluster.js';
import { rayParams } from '../../support/a-cluster-test.js';
import { aStep, newHome, runBody } from '../../support/run-body.js';
import { type FakeCluster, fakeClusters } from './fake-cluster.js';

const LINES = { up: '', nodes: '', put: '', get: '', run: '', down: '' };
const ATTACHES: ClusterManager = { by: 'command', lines: { ...LINES, attach: 'follow' } };
const FORGETS: ClusterManager = { by: 'command', lines: LINES };
const JOBS: ClusterManager = { by: 'jobs', address: 'http://ray.example:8265' };
const prepare = { run: 'true', limitMs: 60_000 };

/** One delivery of an attempt after another, over one store. Each stops in one of its scripts. */
async function deliveries(manager: ClusterManager, ...each: readonly Delivery[]) {
  const home = await newHome();
  const calls: (readonly string[])[] = [];
  let problem: Problem | null = null;
  for (const { stopsIn, as = 'lost', attempt = 1 } of each) {
    const stop = new AbortController();
    const answers: FakeCluster['answers'] = {
      ...(stopsIn !== undefined && {
        [stopsIn]: () => {
          if (as === 'silent') throw fail(SILENT);
          stop.abort();
          return Promise.reject(stop.signal.reason as Error);
        },
      }),
    };
    const fake = fakeClusters({ handle: '{"a":1}', answers });
    const { runOnCluster } = makeBodies(['runOnCluster'], { archives: createArchives(), clusters: fake.clusters });
    const cluster = { ...rayParams().cluster, manager };
    const step = aStep('runOnCluster', rayParams({ cluster, prepare }), { id: 'tests/spread' });
    problem = await runBody(runOnCluster, step, { home, attempt, signal: stop.signal, leaves: as === 'lost' }).then(
      () => null,
      (error: { problems?: readonly Problem[] }) => error.problems?.[0] ?? null,
    );
    calls.push(fake.calls);
  }
  return { calls, problem, home };
}

/** Calls of the step that runs after all tests, and its note. */
async function cleared(manager: ClusterManager, home: string) {
  const { clusters, calls } = fakeClusters({ handle: '{"a":1}' });
  const { clearClusters } = makeBodies(['clearClusters'], { clusters });
  const cluster = { ...rayParams().cluster, manager };
  const test = aStep('runOnCluster', rayParams({ cluster, prepare }), { id: 'tests/spread' });
  const step = aStep('clearClusters', { cluster: cluster.name }, { id: 'clusters/one' });
  const { made } = await runBody(clearClusters, step, { home, plan: { steps: [test as Step] } });
  return { calls, note: made.note };
}
interface Delivery {
  readonly stopsIn?: 'prepare' | 'run';
  /** lost: its worker ends. cancelled: the run does. silent: the cluster does not answer. */
  readonly as?: 'lost' | 'cancelled' | 'silent';
  readonly attempt?: number;
}
const SILENT: Problem = {
  code: 'CLUSTER_SILENT',
  class: 'infra',
  service: clusterService('one'),
  message: '',
  next: '',
};

const FIRST = ['up', 'put', 'prepare by command', 'run by job'];
const WHOLE = [...FIRST, 'get', 'down'];

describe('given a worker that ends while the test runs', () => {
  test.each<[string, ClusterManager]>([
    ['lines with `attach`', ATTACHES],
    ['jobs of a Ray that runs', JOBS],
  ])(
    'when the cluster is made by %s, then the next worker follows the test and closes the cluster',
    async (_, manager) => {
      const { calls } = await deliveries(manager, { stopsIn: 'run' }, {});
      expect(calls).toEqual([FIRST, ['find 1 {"a":1}', 'again run by job', 'get', 'down']]);
    },
  );

  test('when the lines have no `attach`, then the next worker removes the cluster and begins anew', async () => {
    const { calls } = await deliveries(FORGETS, { stopsIn: 'run' }, {});
    expect(calls).toEqual([FIRST, ['find 1 {"a":1}', 'down', ...WHOLE]]);
  });

  test('when it ends in `prepare`, then lines begin anew, and jobs go on with the same names', async () => {
    const lines = await deliveries(ATTACHES, { stopsIn: 'prepare' }, {});
    expect(lines.calls[1]).toEqual(['find 1 {"a":1}', 'down', ...WHOLE]);
    const jobs = await deliveries(JOBS, { stopsIn: 'prepare' }, {});
    expect(jobs.calls[1]).toEqual(['find 1 {"a":1}', ...WHOLE.slice(1)]);
  });

  test('when a third worker comes after the second was lost too, then it follows the same test', async () => {
    const { calls } = await deliveries(JOBS, { stopsIn: 'run' }, { stopsIn: 'run' }, {});
    expect(calls[2]).toEqual(['find 1 {"a":1}', 'again run by job', 'get', 'down']);
  });
});

test.each([
  ['whose worker was lost', 'lost', ['find 1 {"a":1}', 'down'], 'removed 1 cluster'],
  ['that was cancelled', 'cancelled', [], 'no cluster was left'],
] as const)(
  'given a test %s, when no worker takes it over, then the last step leaves no cluster',
  async (_, as, calls, note) => {
    const { home } = await deliveries(ATTACHES, { stopsIn: 'run', as });
    expect(await cleared(ATTACHES, home)).toEqual({ calls, note });
    expect(await cleared(ATTACHES, home)).toEqual({ calls: [], note: 'no cluster was left' });
  },
);

test('given a cancelled attempt, then the cluster is down, and a later attempt makes another', async () => {
  const { calls } = await deliveries(JOBS, { stopsIn: 'run', as: 'cancelled' }, { attempt: 2 });
  expect(calls).toEqual([[...FIRST, 'down'], WHOLE]);
});

test('given a cluster that does not answer any more, then the next attempt follows the test', async () => {
  const { calls, problem } = await deliveries(JOBS, { stopsIn: 'run', as: 'silent' }, { attempt: 2 });
  expect(calls).toEqual([FIRST, ['find 1 {"a":1}', 'again run by job', 'get', 'down']]);
  expect(problem).toBeNull();
});
