/** @needs ray */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { clusterId } from '../../src/activities/clusters/taken-cluster.js';
import { packageRoot, toolsBin } from '../../src/adapters/home.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import type { Problem } from '../../src/model/failure.js';
import { records } from '../../src/model/run-folder.js';
import type { Outcome } from '../../src/model/tests/outcome.js';
import { rayBody, rayParams, rayStep, atLine } from '../support/a-cluster-test.js';
import { aPlan, readLog, RUN, realSurroundings, runBody, type RunBody } from '../support/run-body.js';
import { homeWithCache } from '../support/shared-cache.js';
import { until } from '../support/until.js';
import { type RunningRay, startRunningRay } from './running-ray.js';

/** Counts slowly, after it has noted its begin on the head. */
const COUNT = `import json, os, ray, time
open("/tmp/begins", "a").write("begun\\n")
ray.init()
for n in range(40):
    print("line", n, flush=True)
    time.sleep(0.25)
json.dump({"nodes": len(ray.nodes()), "secret": os.environ.get("TOKEN", "")[:3]}, open(os.environ["TEST_OUTPUT_JSON"], "w"))
`;
const LINES = Array.from({ length: 40 }, (_, n) => `line ${n}\n`).join('');

let ray: RunningRay;
beforeAll(async () => {
  ray = await startRunningRay(await homeWithCache());
});
afterAll(() => ray.end());
beforeEach(() => ray.onHead('rm', '-f', '/tmp/begins'));

type Params = Parameters<typeof rayStep>[0];
const step = (more: Params = {}) =>
  rayStep({
    cluster: { ...rayParams().cluster, manager: { by: 'jobs', address: ray.address } },
    run: 'python "$SLIPWAY_FILES/count.py"',
    result: 'count.json',
    ...more,
  });
const run = (home: string, more: Params = {}, options: RunBody = {}) =>
  runBody(rayBody(home), step(more), { home, files: { 'count.py': COUNT }, ...options });

const problemOf = (ended: Promise<unknown>): Promise<Problem | null> =>
  ended.then(
    () => null,
    (error: { problems?: readonly Problem[] }) => error.problems?.[0] ?? null,
  );
/** Folders of tests on the head. That of an ended test is removed a moment later, by a job. */
const left = (): Promise<string> => ray.onHead('find', '/tmp', '-maxdepth', '1', '-regex', '/tmp/slipway-[0-9a-f]+');

test('given a Ray that runs, when a test ends well, then its files are fetched and nothing of it is left on the head', async () => {
  Object.assign(process.env, { NIGHTLY_TOKEN: 'tok-1234567890-abcdefghijk', SLIPWAY_BUILD_ENV: 'NIGHTLY_TOKEN' });
  const prepare = { run: 'echo prepared', limitMs: 60_000 };
  const env = { TOKEN: '$NIGHTLY_TOKEN' };
  const home = await homeWithCache();
  const { made, log } = await run(home, {
    prepare,
    env,
    alerts: [{ value: 'secret', equals: 'tok' }],
  });
  expect(made.artifacts.map(({ name }) => name)).toEqual(['test_config.json', 'count.json']);
  expect(log).toContain(LINES);
  expect(log).not.toContain('tok-1234567890');
  await until(async () => (await left()) === '');
  const store = createDirectoryStore(join(home, 'store'));
  const outcome = await store.read<Outcome>(records.outcome('skiff', RUN, 'spread', 1, 1));
  expect(outcome!.job!.url).toBe(`${ray.address}/#/jobs/${outcome!.job!.id}`);
  // The page asks Ray for the job by the last part of its address.
  expect(await (await fetch(`${ray.address}/api/jobs/${outcome!.job!.id}`)).json()).toMatchObject({
    status: 'SUCCEEDED',
  });
});

test('given a test with status 7 or by signal 9, then the failure has its status', async () => {
  const home = await homeWithCache();
  const failed = await problemOf(run(home, { run: 'exit 7', result: null }, { run: 'aaaaaaaaaaaaaaaa' }));
  expect(failed).toMatchObject({ code: 'TEST_FAILED', details: { status: 7, ray: 40 } });
  const killed = await problemOf(run(home, { run: 'kill -9 $$', result: null }, { run: 'bbbbbbbbbbbbbbbb' }));
  expect(killed).toMatchObject({ code: 'TEST_FAILED', details: { status: 137 } });
});

/** A process that carries out one attempt, as a worker does. */
const WORKER = `const [root, given] = [process.argv[1], JSON.parse(process.argv[2])];
const at = (path) => require(root + '/dist/' + path + '.js');
const store = at('adapters/store/directory').createDirectoryStore(given.home + '/store');
const programs = at('adapters/process/programs').createPrograms({ running: given.home + '/running' });
const { home, toolsBin, step, plan, run, log } = given;
const around = { store, programs, home, toolsBin, layout: () => null, env: process.env, worker: 'killed@here', ticks: () => 0,
  openLog: (prefix) => at('adapters/logs/writer').createLogWriter(store, prefix), service: () => null };
const archives = at('adapters/archive/index').createArchives();
const clusters = at('adapters/clusters/jobs').createJobsClusters();
const { runOnCluster } = at('activities/kind-bodies').makeBodies(['runOnCluster'], { archives, clusters });
const facts = { plan, step, run, attempt: 1, inputs: [], toolchain: null, known: null, epoch: null, sealed: null, openings: {} };
at('activities/step/workspace').makeWorkspace(home, run, 'killed').then((workspace) => {
  require('node:fs').writeFileSync(workspace.files + '/count.py', given.count);
  const { createWork } = at('activities/step/work');
  return runOnCluster(createWork(facts, around, workspace, around.openLog(log), new AbortController().signal));
});`;

test('given a worker that is killed while the test runs, when another takes over, then there is one job and its output is whole', async () => {
  const home = await homeWithCache();
  const runId = 'cccccccccccccccc';
  const log = records.log(runId, 'tests/spread', 1);
  const plan = aPlan({});
  const given = { home, toolsBin: toolsBin(), step: step(), plan, run: runId, log, count: COUNT };
  const worker = spawn(process.execPath, ['-e', WORKER, packageRoot(), JSON.stringify(given)], { stdio: 'inherit' });
  const around = realSurroundings(home);
  await until(async () => (await readLog(around, log)).includes('line 5\n'));
  worker.kill('SIGKILL');
  const { made, log: whole } = await run(home, {}, { run: runId });
  expect(made.artifacts.map(({ name }) => name)).toContain('count.json');
  expect(whole).toContain('which another worker began');
  expect(whole.slice(whole.indexOf('which another worker began'))).toContain(LINES);
  expect(await ray.onHead('cat', '/tmp/begins')).toBe('begun\n');
  expect((await ray.submitted()).filter((id) => id.startsWith(runId) && id.endsWith('-run'))).toEqual([
    `${clusterId(runId, 'tests/spread', 1)}-run`,
  ]);
});

/** A test whose child process notes that it was told to end. */
const CHILDREN = `(trap 'echo told > /tmp/child; exit' TERM; echo "the test has begun"; sleep 600 & wait) & wait; wait`;

test('given a cancelled attempt, then child processes got SIGTERM, the job is over and the Ray goes on', async () => {
  const cancel = new AbortController();
  let atMs = 0;
  const surroundings = atLine('the test has begun', () => {
    atMs = performance.now();
    cancel.abort();
  });
  const options = { signal: cancel.signal, surroundings, run: 'dddddddddddddddd' };
  await expect(run(await homeWithCache(), { run: CHILDREN, result: null }, options)).rejects.toThrow();
  expect(performance.now() - atMs).toBeLessThan(15_000);
  expect(await ray.onHead('cat', '/tmp/child')).toBe('told\n');
  const id = clusterId('dddddddddddddddd', 'tests/spread', 1);
  const job = await fetch(`${ray.address}/api/jobs/${id}-run`);
  expect(await job.json()).toMatchObject({ status: 'STOPPED' });
  await until(async () => (await left()) === '');
});

test('given a worker that is told to end, then the job goes on, and the next worker follows it', async () => {
  const home = await homeWithCache();
  const stop = new AbortController();
  const surroundings = atLine('line 3', () => stop.abort());
  const options = { signal: stop.signal, leaves: true, surroundings, run: 'eeeeeeeeeeeeeeee' };
  await expect(run(home, {}, options)).rejects.toThrow();
  const { log } = await run(home, {}, { run: 'eeeeeeeeeeeeeeee' });
  expect(log).toContain(LINES);
  expect(await ray.onHead('cat', '/tmp/begins')).toBe('begun\n');
});

test('given a Ray that does not answer, then the failure names its service, and the next attempt follows the same job', async () => {
  const home = await homeWithCache();
  const quiet = atLine('line 3', () => void ray.silence());
  const silent = await problemOf(run(home, {}, { run: 'ffffffffffffffff', surroundings: quiet }));
  const service = 'cluster:one';
  expect(silent).toMatchObject({ code: 'CLUSTER_SILENT', class: 'infra', service, details: { ray: 19 } });
  expect(await problemOf(run(home, {}, { run: '9999999999999999' }))).toMatchObject({
    code: 'CLUSTER_SILENT',
    service,
  });
  await ray.answer();
  const { log } = await run(home, {}, { run: 'ffffffffffffffff', attempt: 2 });
  expect(log).toContain(LINES);
  expect((await ray.submitted()).filter((id) => id.startsWith('ffff') && id.endsWith('-run'))).toHaveLength(1);
});
