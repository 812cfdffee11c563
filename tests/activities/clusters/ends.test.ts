/** @slow */
import { existsSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clusterId } from '../../../src/activities/clusters/taken-cluster.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { makeBodies } from '../../../src/activities/kind-bodies.js';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { fail, type Problem } from '../../../src/model/failure.js';
import { clusterService } from '../../../src/model/outage.js';
import type { StepOf } from '../../../src/model/plan.js';
import { records } from '../../../src/model/run-folder.js';
import type { Outcome } from '../../../src/model/tests/outcome.js';
import { CLUSTER_ENDS, type ClusterEndCode } from '../../../src/model/tests/ends.js';
import { rayParams } from '../../support/a-cluster-test.js';
import { aStep, newHome, RUN, runBody } from '../../support/run-body.js';
import { until } from '../../support/until.js';
import { aNode, type FakeCluster, fakeClusters } from './fake-cluster.js';

/** A cluster that brings its own Ray: no environment is made for it. */
const LINES = { up: '', nodes: '', put: '', get: '', run: '', down: '' };
const CLUSTER = { ...rayParams().cluster, manager: { by: 'command', lines: LINES } } as const;
type Params = Parameters<typeof rayParams>[0];

async function run(fake: FakeCluster, params: Params = {}, more: Partial<StepOf<'runOnCluster'>> = {}, from?: unknown) {
  const { clusters, calls } = fakeClusters(fake);
  const { runOnCluster } = makeBodies(['runOnCluster'], { archives: createArchives(), clusters });
  const step = aStep('runOnCluster', rayParams({ cluster: CLUSTER, ...params }), { id: 'tests/spread', ...more });
  const home = await newHome();
  const store = createDirectoryStore(join(home, 'store'));
  if (from !== undefined) await store.create(records.file(RUN), from as object);
  const ended = runBody(runOnCluster, step, { home });
  const problem = await ended.then(
    () => null,
    (error: { problems?: readonly Problem[] }) => error.problems?.[0] ?? Promise.reject(error as unknown as Error),
  );
  const record = records.outcome('skiff', RUN, 'spread', 1, 1);
  return { problem, calls, ended, outcome: await store.read<Outcome>(record) };
}

const leaves = (text: string): FakeCluster => ({
  answers: {
    run: (_, folder) => {
      writeFileSync(join(folder, 'out', 'result.json'), text);
      return 0;
    },
  },
});
const forever: NonNullable<FakeCluster['answers']>[string] = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

const RESULT = { result: 'r.json', alerts: [{ value: 'a', atMost: 1 }] } as const;
const soon = { run: 'true', limitMs: 20 };

test.each<[string, ClusterEndCode, FakeCluster, Params, Readonly<Record<string, unknown>>]>([
  ['fewer nodes than wanted', 'NODES_MISSING', { nodes: () => [] }, { wait: { nodes: 1, forMs: 1 } }, { seen: 0 }],
  ['`prepare` with status 3', 'PREPARE_FAILED', { answers: { prepare: () => 3 } }, { prepare: soon }, { status: 3 }],
  ['`prepare` that does not end', 'PREPARE_TIMED_OUT', { answers: { prepare: forever } }, { prepare: soon }, {}],
  ['status 7', 'TEST_FAILED', { answers: { run: () => 7 } }, {}, { status: 7 }],
  ["a test's own status 124", 'TEST_FAILED', { answers: { run: () => 124 } }, { long: true }, { status: 124 }],
  ['a test that does not end', 'TEST_TIMED_OUT', { answers: { run: forever } }, { test: soon }, {}],
  ['a lost head node', 'CLUSTER_GONE', { answers: { run: () => null } }, {}, {}],
  ['no result', 'RESULT_ABSENT', {}, RESULT, {}],
  ['a result that is no JSON', 'RESULT_NOT_JSON', leaves('{"a": '), RESULT, {}],
  ['NaN', 'RESULT_NOT_JSON', leaves('{"a": NaN}'), RESULT, {}],
  ['a result out of bounds', 'ALERT', leaves('{"a": 2}'), RESULT, { alerts: ['a is 2, at most 1 passes'] }],
  ['a result without the value', 'ALERT', leaves('{}'), RESULT, { alerts: ['a is absent'] }],
  ['a failed copy', 'RESULT_NOT_FETCHED', { get: () => Promise.reject(new Error('no route')) }, RESULT, {}],
])('given %s, then the attempt ends as %s with its class and number', async (_, code, fake, params, details) => {
  const { problem, calls, outcome } = await run(fake, params);
  const { phase, class: failureClass, ray } = CLUSTER_ENDS[code];
  expect(problem).toMatchObject({ code, class: failureClass, details: { phase, ray, ...details } });
  expect(calls.at(-1)).toBe('down');
  const exit = details['status'] ?? null;
  expect(outcome).toMatchObject({ code, class: failureClass, phase, exit, returnCode: ray, pipeline: 'skiff' });
});

const HOUR_S = 3600;
test.each<[string, number, number, string | null]>([
  ['an hour behind', -HOUR_S, 10, null],
  ['an hour ahead', HOUR_S, 400, 'ALERT'],
])(
  "given a head whose clock is %s, then the age that the test wrote counts by the head's clock",
  async (_, aheadS, ageS, code) => {
    const at = Math.floor(Date.now() / 1000) + aheadS - ageS;
    const fake = { ...leaves(`{"last_update": ${at}}`), get: () => Promise.resolve(aheadS * 1000) };
    const fresh = { value: 'last_update_age', atMost: 300 } as const;
    const { outcome } = await run(fake, { result: 'r.json', alerts: [fresh] });
    expect(outcome!.code).toBe(code);
  },
);

test('given that the nodes cannot be counted, when they count as missing, then the problem says why', async () => {
  const why = 'the line `nodes` ended with status 127: sh: kubctl: not found';
  const nodes = (): never => {
    throw new Error(why);
  };
  const { problem } = await run({ nodes }, { wait: { nodes: 1, forMs: 1 } });
  expect(problem).toMatchObject({ code: 'NODES_MISSING', evidence: [why] });
});

describe('given an outage of the cluster when its nodes are counted', () => {
  const silent = (): never => {
    const problem: Problem = { code: 'CLUSTER_SILENT', class: 'infra', message: '', next: '' };
    throw fail({ ...problem, service: clusterService('one') });
  };

  test('when the test waits for nodes, then the attempt ends as that outage, and not as nodes that are missing', async () => {
    const { problem } = await run({ nodes: silent }, { wait: { nodes: 1, forMs: 60_000 } });
    expect(problem).toMatchObject({ code: 'CLUSTER_SILENT', service: 'cluster:one' });
  });

  test('when the test runs, then its status decides', async () => {
    let [runs, looks] = [false, 0];
    const nodes = () => {
      if (!runs) return [aNode('1')];
      looks += 1;
      return silent();
    };
    const spread = async (): Promise<number> => {
      runs = true;
      await until(() => looks > 0);
      return 0;
    };
    expect((await run({ nodes, answers: { run: spread } })).problem).toBeNull();
  });
});

test('given a cluster that waits for its turn, then the step tells why', async () => {
  const { clusters } = fakeClusters({ waits: 'another test has it' });
  const { runOnCluster } = makeBodies(['runOnCluster'], { archives: createArchives(), clusters });
  const told: (string | null)[] = [];
  const step = aStep('runOnCluster', rayParams({ cluster: CLUSTER }), { id: 'tests/spread' });
  await runBody(runOnCluster, step, { takesTurn: (because) => void told.push(because) });
  expect(told).toEqual(['another test has it']);
});

test('given a rule for output lines, then the outcome has its class, as the step has, also for an early line', async () => {
  const early: FakeCluster = {
    answers: {
      run: async ({ onOutput }) => {
        await onOutput(`no licence is free\n${'waiting\n'.repeat(150)}`);
        return 7;
      },
    },
  };
  const rule = { match: 'no licence', class: 'infra' } as const;
  const { outcome } = await run(early, {}, { retry: { ...aStep('runCommand', {} as never).retry, lines: [rule] } });
  expect(outcome).toMatchObject({ code: 'TEST_FAILED', class: 'infra', exit: 7 });
  expect(outcome!.lastLogs).toHaveLength(100);
});

test('given an error without a code, then the outcome has UNEXPECTED, as the step has', async () => {
  const broken = { answers: { run: () => Promise.reject(new TypeError('no such function')) } };
  const { problem, outcome } = await run(broken);
  expect(problem).toMatchObject({ code: 'UNEXPECTED', class: 'bug' });
  expect(outcome).toMatchObject({ code: 'UNEXPECTED', class: 'bug', message: problem!.message });
});

test('given a lost node and results that cannot be kept, then the outcome still has the node', async () => {
  let [isLost, looks] = [false, 0];
  const fake: FakeCluster = {
    nodes: () => {
      if (isLost) looks += 1;
      return [aNode('1'), aNode('2', !isLost)];
    },
    answers: {
      run: async (_, folder) => {
        isLost = true;
        symlinkSync('/etc/passwd', join(folder, 'out', 'result.json'));
        await until(() => looks > 0);
        return 0;
      },
    },
  };
  const { outcome } = await run(fake, { wait: { nodes: 2, forMs: 60_000 } });
  expect(outcome).toMatchObject({ code: 'LINK_LEADS_OUT', nodes: { seen: 2, lost: [{ node: '127.0.0.2' }] } });
});

test('given a result of a byte more than 16 MiB, then it is not read', async () => {
  const fake: FakeCluster = {
    answers: {
      run: (_, folder) => {
        writeFileSync(join(folder, 'out', 'result.json'), '');
        truncateSync(join(folder, 'out', 'result.json'), 16 * 2 ** 20 + 1);
        return 0;
      },
    },
  };
  const { problem } = await run(fake, RESULT);
  expect(problem).toMatchObject({ code: 'RESULT_TOO_BIG', class: 'product' });
});

test('given a result that links to a file of the machine, then the file is not read', async () => {
  const { problem } = await run(
    { answers: { run: (_, folder) => (symlinkSync('/etc/passwd', join(folder, 'out', 'result.json')), 0) } },
    RESULT,
  );
  expect(problem).toMatchObject({ code: 'LINK_LEADS_OUT' });
});

test('when `prepare` fails, then the test does not start', async () => {
  const { calls } = await run({ answers: { prepare: () => 1 } }, { prepare: soon });
  expect(calls).toEqual(['up', 'put', 'prepare by command', 'down']);
});

test('given a long test, when its limit is reached, then its result decides', async () => {
  const late = { long: true, test: soon, ...RESULT };
  const beats: FakeCluster = {
    answers: {
      run: (line, folder) => {
        writeFileSync(join(folder, 'out', 'result.json'), '{"a": 1}');
        return forever(line, folder);
      },
    },
  };
  const passed = await run(beats, late);
  expect(passed.problem).toBeNull();
  expect(passed.outcome).toMatchObject({ code: null, phase: 'alerts', returnCode: 0, results: { a: 1 } });
  expect((await run({ answers: { run: forever } }, late)).problem).toMatchObject({ code: 'RESULT_ABSENT' });
});

test('given a node that is lost while the test runs, then the test passes and names the node', async () => {
  let [isLost, looks] = [false, 0];
  const { ended } = await run(
    {
      nodes: () => {
        if (isLost) looks += 1;
        return [aNode('1'), aNode('2', !isLost)];
      },
      answers: {
        run: async () => {
          isLost = true;
          await until(() => looks > 0);
          return 0;
        },
      },
    },
    { wait: { nodes: 2, forMs: 60_000 } },
  );
  const { made } = await ended;
  expect(made.facts).toMatchObject({ nodes: 2, lost: [{ node: '127.0.0.2', atMs: expect.any(Number) as number }] });
});

test('given a test script, then it has the variables that release tests read, and `{files}`', async () => {
  let script = '';
  const fake: FakeCluster = {
    answers: {
      run: (_, folder) => {
        for (const name of ['run.env', 'run.line', 'run.sh']) expect(existsSync(join(folder, name))).toBe(true);
        script = readFileSync(join(folder, 'run.env'), 'utf8');
        return 0;
      },
    },
  };
  await run(fake, { smoke: true, env: { QUOTED: "it's" } });
  for (const name of ['TEST_OUTPUT_JSON', 'METRICS_OUTPUT_JSON', 'USER_GENERATED_ARTIFACT', 'BUILDKITE_BRANCH'])
    expect(script).toContain(`export ${name}=`);
  expect(script).toContain("IS_SMOKE_TEST='1'");
  expect(script).toContain(`QUOTED='it'\\''s'`);
});

const BUILD = { url: 'https://buildkite.example.invalid/7', job: 'j-1' };

test.each<[string, unknown, Outcome['buildkite']]>([
  ['Buildkite', { file: '/slipway.yaml', buildkite: BUILD }, BUILD],
  ['a person', { file: '/slipway.yaml' }, null],
  ['no client', undefined, null],
  ['a client that lies about Buildkite', { file: '/f', buildkite: { ...BUILD, url: 'javascript:alert(1)' } }, null],
  ['a client that writes nonsense', { file: '/f', buildkite: 7 }, null],
])('given a run that %s started, then its outcome says so', async (_, from, buildkite) => {
  for (const end of [0, 7]) {
    const { outcome } = await run({ answers: { run: () => end } }, {}, {}, from);
    expect(outcome).toMatchObject({ exit: end, buildkite });
  }
});

test.each<[string, FakeCluster, Params, string | null]>([
  [
    'a job on a cluster with a lasting dashboard',
    { pageOf: (job) => `http://ray/#/jobs/${job}` },
    { by: 'job' },
    'http',
  ],
  [
    'a command that such a cluster runs as a job',
    { pageOf: (job) => `http://ray/#/jobs/${job}` },
    { by: 'command' },
    'http',
  ],
  ['a job on a cluster that ends with its test', {}, { by: 'job' }, ''],
  ['a command on a cluster without jobs', {}, { by: 'command' }, null],
])('given %s, then the outcome has its page', async (_, fake, params, page) => {
  const { outcome } = await run(fake, params);
  const id = `${clusterId(RUN, 'tests/spread', 1)}-run`;
  expect(outcome!.job).toEqual(page === null ? null : { id, url: page === '' ? '' : `http://ray/#/jobs/${id}` });
});
