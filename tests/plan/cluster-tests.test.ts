import { isAfterOnly, type StepOf } from '../../src/model/plan.js';
import { skeletonOf } from '../../src/plan/skeleton.js';
import { HEAD, idsOf, planOf, problemsOf, sha256, someFacts, stepOf } from './a-plan.js';

/** Clusters are elsewhere, which a rehearsal refuses. */
const live = (more: object = {}) => ({
  profile: { name: 'live', content: { ...someFacts().profile.content, rehearsal: false, ...more } },
});
const CLUSTERS = `deps: { ray: { requires: ['ray[default]'] } }
bases: { node: { debian: bookworm } }
clusters:
  one: { manager: local, cpus: 2 }
  three: { manager: docker, base: node, nodes: 3, memory: 1200m, up: 5m }
  far: { manager: jobs, nodes: 2, address: http://ray.example:8265/ }
  nowhere: { manager: jobs }
  rack: { manager: ssh, nodes: 2, cpus: 4 }
`;
const FILE = (entry: string): string => `${HEAD}${CLUSTERS}tests:\n  spread: { needs: ['deps/ray'], ${entry} }\n`;
const params = (entry: string, id = 'tests/spread/cp311/linux-x86_64') =>
  (stepOf(planOf(FILE(entry)), id) as unknown as StepOf<'runOnCluster'>).params;

describe('given a test that names a cluster', () => {
  test('when it has no further keys, then it waits for all nodes and runs as a job', () => {
    expect(params('cluster: one, run: python spread.py')).toMatchObject({
      label: '1.0',
      cluster: { name: 'one', manager: { by: 'local' }, nodes: 1, cpus: 2, upMs: 600_000 },
      wait: { nodes: 1, forMs: 3_000_000 },
      by: 'job',
      prepare: null,
      test: { run: 'python spread.py', limitMs: 1_800_000 },
      folder: null,
      python: 'cp311',
    });
  });

  test("when it has time limits, then the step's limit is their sum and 15 minutes", () => {
    const entry = 'cluster: three, wait: { nodes: 3, for: 2m }, prepare: { run: p, timeout: 1m }, run: t, timeout: 4m';
    const { limitMs } = stepOf(planOf(FILE(entry)), 'tests/spread/cp311/linux-x86_64');
    expect(limitMs).toBe((5 + 2 + 1 + 4 + 15) * 60_000);
  });

  test('when the manager is docker, then the test needs the base of the cluster', () => {
    const made = planOf(FILE('cluster: three, run: t'));
    const step = stepOf(made, 'tests/spread/cp311/linux-x86_64');
    expect(step.needs).toContain('bases/node');
    expect(step.params).toMatchObject({ cluster: { manager: { by: 'docker', base: 'bases/node', memoryMiB: 1200 } } });
  });

  test('when the manager is docker and it needs an image, then its nodes run from the image, with the Ray inside', () => {
    const entry = "needs: ['deps/ray', 'images/own'], cluster: bare, run: t";
    const made = planOf(`${HEAD}${CLUSTERS}  bare: { manager: docker }
images: { own: { base: node } }
tests: { spread: { ${entry} } }
`);
    const step = stepOf(made, 'tests/spread/cp311/linux-x86_64') as unknown as StepOf<'runOnCluster'>;
    expect(step.needs).toContain('images/own/linux-x86_64');
    expect(step.needs).not.toContain('bases/node');
    expect(step.params.cluster.manager).toEqual({
      ...{ by: 'docker', base: 'images/own/linux-x86_64', memoryMiB: null, ray: '/opt/ray' },
    });
  });

  test('when it has a working folder, then it needs the source', () => {
    const withFolder = stepOf(planOf(FILE('cluster: one, run: t, folder: release')), 'tests/spread/cp311/linux-x86_64');
    expect(withFolder.needs).toContain('source/skiff');
    const without = stepOf(planOf(FILE('cluster: one, run: t')), 'tests/spread/cp311/linux-x86_64');
    expect(without.needs).not.toContain('source/skiff');
  });

  test('when it repeats, then each repeat is a step', () => {
    const ids = idsOf(planOf(FILE('cluster: one, run: t, repeat: 2, pythons: [cp311]')), 'tests');
    expect(ids).toHaveLength(2);
    expect(new Set(ids.map((id) => /\/([12])(\/|$)/.exec(id)?.[1]))).toEqual(new Set(['1', '2']));
  });
});

test.each([
  ['nothing of retries', '', { infra: { times: 1, waitMs: 1_800_000, waitToMs: 5_400_000 } }],
  ['another wait', ', retry: { infra: { times: 2, wait: 5s..15s } }', { infra: { times: 2, waitMs: 5_000 } }],
  ['only a retry of its own failures', ', retry: { product: {} }', { infra: { times: 1 }, product: { times: 1 } }],
])('given a test that says %s, then the next cluster comes after that wait', (_, said, retry) => {
  expect(stepOf(planOf(FILE(`cluster: one, run: t${said}`)), 'tests/spread/cp311/linux-x86_64').retry).toMatchObject(
    retry,
  );
});

test('given a test of a pool, then the scheduler knows the pool', () => {
  const made = planOf(FILE('cluster: one, run: t, pool: { name: tiny, limit: 32 }'));
  const { steps } = skeletonOf(made, sha256('plan'), {});
  const pools = steps.filter(({ kind }) => kind === 'runOnCluster').map(({ pool }) => pool);
  expect(pools).toEqual([1, 2].map(() => ({ name: 'tiny', limit: 32 })));
});

describe('given a cluster that is a Ray which runs already', () => {
  test('when the file says its address, then the test has it, waits for its nodes and needs the service', () => {
    const made = planOf(FILE('cluster: far, run: t'), live());
    expect(stepOf(made, 'tests/spread/cp311/linux-x86_64').params).toMatchObject({
      cluster: { name: 'far', manager: { by: 'jobs', address: 'http://ray.example:8265' }, nodes: 2 },
      wait: { nodes: 2 },
    });
    const { steps } = skeletonOf(made, sha256('plan'), {});
    const services = steps.filter(({ kind }) => kind === 'runOnCluster').map((step) => step.services);
    expect(services).toEqual([['cluster:far'], ['cluster:far']]);
  });

  test('when the profile says another address, then that one counts', () => {
    const clusters = { far: { address: 'http://here:8265' }, nowhere: { address: 'https://there/ray/' } };
    const facts = live({ clusters });
    const made = (cluster: string): unknown =>
      stepOf(planOf(FILE(`cluster: ${cluster}, run: t`), facts), 'tests/spread/cp311/linux-x86_64').params;
    expect(made('far')).toMatchObject({ cluster: { manager: { address: 'http://here:8265' } } });
    expect(made('nowhere')).toMatchObject({ cluster: { manager: { address: 'https://there/ray' } } });
  });
});

test('given clusters that go on without their worker, then a step after their tests removes what is left', () => {
  const made = planOf(
    FILE('cluster: far, run: t').replace('tests:', "tests:\n  own: { needs: ['deps/ray'], cluster: one, run: t }"),
    live(),
  );
  expect(stepOf(made, 'clusters/far')).toMatchObject({
    kind: 'clearClusters',
    on: 'linux-x86_64',
    params: { cluster: 'far' },
  });
  expect(stepOf(made, 'clusters/far').after).toEqual(
    expect.arrayContaining(['tests/spread/cp311/linux-x86_64', 'tests/spread/cp312/linux-x86_64']),
  );
  expect(isAfterOnly(stepOf(made, 'clusters/far'))).toBe(true);
  expect(idsOf(made, 'clusters')).toEqual(['clusters/far']);
});

test('given hosts in the profile, then a cluster by ssh has them and needs its service', () => {
  const made = planOf(
    FILE('cluster: rack, run: t'),
    live({ clusters: { rack: { hosts: ['a@one', 'a@two', 'a@three'], ray: '/opt/ray' } } }),
  );
  expect(stepOf(made, 'tests/spread/cp311/linux-x86_64').params).toMatchObject({
    cluster: { nodes: 2, cpus: 4, manager: { by: 'ssh', hosts: ['a@one', 'a@two', 'a@three'], ray: '/opt/ray' } },
  });
  const { steps } = skeletonOf(made, sha256('plan'), {});
  expect(steps.find(({ kind }) => kind === 'runOnCluster')?.services).toEqual(['cluster:rack']);
});

test.each<[string, object, string]>([
  ['no hosts', { ray: '/opt/ray' }, 'lists 0 hosts'],
  ['fewer hosts than nodes', { hosts: ['a@one'], ray: '/opt/ray' }, 'lists 1 host'],
  ['no folder of Ray', { hosts: ['a@one', 'a@two'] }, 'where Ray is'],
])('given %s in the profile, then a cluster by ssh is refused', (_, rack, told) => {
  const { profile } = someFacts();
  const facts = someFacts({ profile: { ...profile, content: { ...profile.content, clusters: { rack } } } });
  const [problem] = problemsOf(FILE('cluster: rack, run: t'), facts);
  expect(problem).toMatchObject({ code: 'WRONG_VALUE', path: 'clusters.rack' });
  expect(problem?.message).toContain(told);
});

test.each([
  ['a cluster without an address', 'cluster: nowhere, run: t', 'WRONG_VALUE', 'says where that Ray is'],
  ['a client of a Ray that runs', 'cluster: far, run: t, by: client', 'WRONG_VALUE', 'by: job'],
  ['an unknown cluster', 'cluster: thre, run: t', 'UNKNOWN_CLUSTER', 'three'],
  ['more nodes than there are', 'cluster: three, run: t, wait: { nodes: 33 }', 'WRONG_VALUE', 'waits for 33 nodes'],
  ['alerts without a result', 'cluster: one, run: t, alerts: [{ value: a, atMost: 1 }]', 'WRONG_VALUE', 'result'],
  ['an alert without a bound', 'cluster: one, run: t, result: r.json, alerts: [{ value: a }]', 'WRONG_VALUE', 'atMost'],
  ['an alert at no number', 'cluster: one, run: t, result: r, alerts: [{ value: a, atMost: .nan }]', 'WRONG_VALUE', ''],
  ['repeats twice', 'cluster: one, run: t, repeat: 2, matrix: { repeat: [a] }', 'WRONG_VALUE', 'repeat'],
  ['a key of other tests', 'cluster: one, run: t, expect: ok', 'UNKNOWN_KEY', 'expect'],
  ['an artifact outside', 'cluster: one, run: t, artifact: ../x', 'WRONG_VALUE', 'working folder'],
  ['another artifact outside', 'cluster: one, run: t, artifact: /etc/passwd', 'WRONG_VALUE', 'working folder'],
  ['an unknown way', 'cluster: one, run: t, by: jobs', 'WRONG_VALUE', 'job'],
])('given %s, then it is refused', (_, entry, code, told) => {
  const found = problemsOf(FILE(entry));
  expect(found.map((one) => one.code)).toContain(code);
  expect(found.map(({ path, message, next }) => [path, message, next].join(' ')).join('\n')).toContain(told);
});

test('given an unknown manager, then the refusal lists the known ones', () => {
  const [problem] = problemsOf(FILE('cluster: one, run: t').replace('manager: local, cpus: 2', 'manager: loco'));
  expect(problem).toMatchObject({ code: 'WRONG_VALUE', path: 'clusters.one.manager' });
});

test.each([
  [
    'a docker cluster without base',
    "needs: ['deps/ray'], cluster: bare",
    'the cluster bare has no base, and the test needs no image',
  ],
  [
    'an image for a local cluster',
    "needs: ['deps/ray', 'images/own'], cluster: one",
    'the cluster one runs no containers, so images/own has no effect',
  ],
  [
    'two images',
    "needs: ['images/own', 'images/two'], cluster: three",
    'the nodes of a cluster run from one image, and the test needs images/own, images/two',
  ],
])('given %s, when it is planned, then it is refused', (_, entry, message) => {
  const [problem, ...more] = problemsOf(`${HEAD}${CLUSTERS}  bare: { manager: docker }
images: { own: {}, two: {} }
tests: { spread: { ${entry}, run: t } }
`);
  expect(more).toEqual([]);
  expect(problem!.message).toBe(message);
});
