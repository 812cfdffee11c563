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
  for (const { stopsIn, as = 'lost', attempt = 1, more = {} } of each) {
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
    const fake = fakeClusters({ handle: '{"a":1}', answers, ...more });
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

/** Calls of the step that runs after all tests, and its note or its failure. */
async function cleared(manager: ClusterManager, home: string, more: FakeCluster = {}) {
  const { clusters, calls } = fakeClusters({ handle: '{"a":1}', ...more });
  const { clearClusters } = makeBodies(['clearClusters'], { clusters });
  const cluster = { ...rayParams().cluster, manager };
  const test = aStep('runOnCluster', rayParams({ cluster, prepare }), { id: 'tests/spread' });
  const step = aStep('clearClusters', { cluster: cluster.name }, { id: 'clusters/one' });
  return runBody(clearClusters, step, { home, plan: { steps: [test as Step] } }).then(
    ({ made }) => ({ calls, note: made.note }),
    ({ first }: { first: Problem }) => ({ calls, problem: first }),
  );
}

interface Delivery {
  readonly stopsIn?: 'prepare' | 'run';
  /** lost: its worker ends. cancelled: the run does. silent: the cluster does not answer. */
  readonly as?: 'lost' | 'cancelled' | 'silent';
  readonly attempt?: number;
  readonly more?: FakeCluster;
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

const LEFT = 'the line `down` ended with status 1';

describe('given a cluster that could not be removed', () => {
  const find = ['find 1 {"a":1}', 'down'];

  test.each<[string, ClusterManager]>([
    ['lines', ATTACHES],
    ['jobs', JOBS],
  ])(
    'when a later attempt of %s begins, then it removes that cluster and follows no test of it',
    async (_, manager) => {
      const { calls, home } = await deliveries(manager, { more: { leaves: LEFT } }, { attempt: 2 });
      expect(calls).toEqual([WHOLE, [...find, ...WHOLE]]);
      expect(await cleared(manager, home)).toEqual({ calls: [], note: 'no cluster was left' });
    },
  );

  test('when later attempts cannot remove it either, then the last step removes all clusters', async () => {
    const leaves = { leaves: LEFT };
    const { home } = await deliveries(ATTACHES, { more: leaves }, { attempt: 2, more: leaves });
    const removal = [...find, 'find 2 {"a":1}', 'down'];
    expect(await cleared(ATTACHES, home)).toEqual({ calls: removal, note: 'removed 2 clusters' });
  });

  test('when the last step cannot remove it either, then that step fails until it is removed', async () => {
    const { home } = await deliveries(ATTACHES, { more: { leaves: LEFT } });
    const failed = { code: 'CLUSTER_NOT_REMOVED', class: 'infra', message: expect.stringContaining(LEFT) as string };
    expect(await cleared(ATTACHES, home, { leaves: LEFT })).toMatchObject({ calls: find, problem: failed });
    expect(await cleared(ATTACHES, home)).toEqual({ calls: find, note: 'removed 1 cluster' });
  });
});

test.each<[string, object, readonly string[]]>([
  ['left something', { left: LEFT }, ['find 1', 'down']],
  ['left nothing', {}, []],
])('given a start that failed and %s, then the last step removes only what is left', async (_, details, calls) => {
  const up = (): never => {
    throw fail({ code: 'CLUSTER_FAILED', class: 'infra', message: '', next: '', details: { ...details } });
  };
  const { home } = await deliveries(ATTACHES, { more: { up } });
  expect((await cleared(ATTACHES, home)).calls).toEqual(calls);
});
