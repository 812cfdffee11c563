/** @needs ray */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { clusterId } from '../../src/activities/clusters/taken-cluster.js';
import { packageRoot, toolsBin } from '../../src/adapters/home.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import type { Problem } from '../../src/model/failure.js';
import { records } from '../../src/model/run-folder.js';
import type { Outcome } from '../../src/model/tests/outcome.js';
import { atLine, problemOf, rayBody, rayParams, rayStep } from '../support/a-cluster-test.js';
import { aPlan, readLog, RUN, realSurroundings, runBody, type RunBody } from '../support/run-body.js';
import { until } from '../support/until.js';
import { type RunningRay, startRunningRay } from './running-ray.js';
import { aRayHome } from './at-end.js';

/** Counts, after it has noted its begin on the head. It has a name, and goes on after line 5 when the head has the file NAME.go. */
const COUNT = `import json, os, ray, sys, time
name = sys.argv[1]
open(f"/tmp/{name}.begins", "a").write("begun\\n")
ray.init()
for n in range(40):
    print("line", n, flush=True)
    while n == 5 and not os.path.exists(f"/tmp/{name}.go"):
        time.sleep(0.1)
json.dump({"nodes": len(ray.nodes()), "secret": os.environ.get("TOKEN", "")[:3]}, open(os.environ["TEST_OUTPUT_JSON"], "w"))
`;
const LINES = Array.from({ length: 40 }, (_, n) => `line ${n}\n`).join('');

let ray: RunningRay;
type Door = Awaited<ReturnType<RunningRay['door']>>;

type Params = Parameters<typeof rayStep>[0];
const step = (more: Params = {}, { address }: Pick<Door, 'address'> = ray) =>
  rayStep({
    cluster: { ...rayParams().cluster, manager: { by: 'jobs', address } },
    result: 'count.json',
    ...more,
  });
const run = (home: string, more: Params = {}, options: RunBody = {}, door?: Door) =>
  runBody(rayBody(home), step(more, door), { home, files: { 'count.py': COUNT }, ...options });
const counts = (name: string): Params => ({
  test: { run: `python "$SLIPWAY_FILES/count.py" ${name}`, limitMs: 15 * 60_000 },
});
const letGo = (name: string): Promise<string> => ray.onHead('touch', `/tmp/${name}.go`);
const begins = (name: string): Promise<string> => ray.onHead('cat', `/tmp/${name}.begins`);

/** Another worker finds the job of a test that counts, and follows it. Only then the test goes on. */
async function followed(home: string, name: string, options: RunBody & { readonly run: string }, door?: Door) {
  const log = records.log(options.run, 'tests/spread', options.attempt ?? 1);
  const following = run(home, counts(name), options, door);
  const found = until(async () => (await readLog(realSurroundings(home), log)).includes(FOLLOWED));
  await Promise.race([following, found]);
  await letGo(name);
  return following;
}
const FOLLOWED = 'which another worker began';

/** Folders of tests on the head. That of an ended test is removed a moment later, by a job. */
const left = (): Promise<string> => ray.onHead('find', '/tmp', '-maxdepth', '1', '-regex', '/tmp/slipway-[0-9a-f]+');

/** A Ray counts as silent after a minute. That minute passes while the other tests run, which reach it by another address. */
let quiet: Door;
let quietHome: string;
let silent: Promise<Problem>;
/** Folder of the test that waits meanwhile. */
let kept: string;
const QUIET_RUN = 'ffffffffffffffff';

beforeAll(async () => {
  ray = await startRunningRay(await aRayHome());
  [quiet, quietHome] = [await ray.door(), await aRayHome()];
  await new Promise<void>((counted) => {
    const surroundings = atLine('line 3', () => void quiet.silence().then(counted));
    silent = problemOf(run(quietHome, counts('quiet'), { run: QUIET_RUN, surroundings }, quiet));
    silent.catch(() => undefined).finally(counted);
  });
  kept = await left();
});
afterAll(() => ray?.end());

test('given a Ray that runs, when a test ends well, then its files are fetched and nothing of it is left on the head', async () => {
  Object.assign(process.env, { NIGHTLY_TOKEN: 'tok-1234567890-abcdefghijk', SLIPWAY_BUILD_ENV: 'NIGHTLY_TOKEN' });
  const prepare = { run: 'echo prepared', limitMs: 60_000 };
  const env = { TOKEN: '$NIGHTLY_TOKEN' };
  const home = await aRayHome();
  await letGo('ends_well');
  const { made, log } = await run(home, {
    ...counts('ends_well'),
    prepare,
    env,
    alerts: [{ value: 'secret', equals: 'tok' }],
  });
  expect(made.artifacts.map(({ name }) => name)).toEqual(['test_config.json', 'count.json']);
  expect(log).toContain(LINES);
  expect(log).not.toContain('tok-1234567890');
  await until(async () => (await left()) === kept);
  const store = createDirectoryStore(join(home, 'store'));
  const outcome = await store.read<Outcome>(records.outcome('skiff', RUN, 'spread', 1, 1));
  expect(outcome!.job!.url).toBe(`${ray.address}/#/jobs/${outcome!.job!.id}`);
  // The page asks Ray for the job by the last part of its address.
  expect(await (await fetch(`${ray.address}/api/jobs/${outcome!.job!.id}`)).json()).toMatchObject({
    status: 'SUCCEEDED',
  });
});

test('given a test with status 7 or by signal 9, then the failure has its status', async () => {
  const home = await aRayHome();
  const [failed, killed] = await Promise.all([
    problemOf(run(home, { run: 'exit 7', result: null }, { run: 'aaaaaaaaaaaaaaaa' })),
    problemOf(run(home, { run: 'kill -9 $$', result: null }, { run: 'bbbbbbbbbbbbbbbb' })),
  ]);
  expect(failed).toMatchObject({ code: 'TEST_FAILED', details: { status: 7, ray: 40 } });
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
  const home = await aRayHome();
  const runId = 'cccccccccccccccc';
  const log = records.log(runId, 'tests/spread', 1);
  const plan = aPlan({});
  const given = { home, toolsBin: toolsBin(), step: step(counts('killed')), plan, run: runId, log, count: COUNT };
  const worker = spawn(process.execPath, ['-e', WORKER, packageRoot(), JSON.stringify(given)], { stdio: 'inherit' });
  const around = realSurroundings(home);
  await until(async () => (await readLog(around, log)).includes('line 5\n'));
  worker.kill('SIGKILL');
  const { made, log: whole } = await followed(home, 'killed', { run: runId });
  expect(made.artifacts.map(({ name }) => name)).toContain('count.json');
  expect(whole.slice(whole.indexOf(FOLLOWED))).toContain(LINES);
  expect(await begins('killed')).toBe('begun\n');
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
  await expect(run(await aRayHome(), { run: CHILDREN, result: null }, options)).rejects.toThrow();
  expect(performance.now() - atMs).toBeLessThan(15_000);
  expect(await ray.onHead('cat', '/tmp/child')).toBe('told\n');
  const id = clusterId('dddddddddddddddd', 'tests/spread', 1);
  const job = await fetch(`${ray.address}/api/jobs/${id}-run`);
  expect(await job.json()).toMatchObject({ status: 'STOPPED' });
  await until(async () => (await left()) === kept);
});

test('given a worker that is told to end, then the job goes on, and the next worker follows it', async () => {
  const home = await aRayHome();
  const stop = new AbortController();
  const surroundings = atLine('line 3', () => stop.abort());
  const options = { signal: stop.signal, leaves: true, surroundings, run: 'eeeeeeeeeeeeeeee' };
  await expect(run(home, counts('told'), options)).rejects.toThrow();
  const { log } = await followed(home, 'told', { run: 'eeeeeeeeeeeeeeee' });
  expect(log).toContain(LINES);
  expect(await begins('told')).toBe('begun\n');
});

test('given a Ray that does not answer, then the failure names its service, and the next attempt follows the same job', async () => {
  const service = 'cluster:one';
  expect(await silent).toMatchObject({ code: 'CLUSTER_SILENT', class: 'infra', service, details: { ray: 19 } });
  const refused = await problemOf(run(quietHome, counts('refused'), { run: '9999999999999999' }, quiet));
  expect(refused).toMatchObject({ code: 'CLUSTER_SILENT', service });
  // The job ends while its worker cannot reach it.
  await letGo('quiet');
  const id = (await ray.submitted()).find((one) => one.startsWith('ffff') && one.endsWith('-run'));
  const state = async (): Promise<unknown> => (await fetch(`${ray.address}/api/jobs/${id}`)).json();
  await until(async () => ((await state()) as { readonly status: string }).status === 'SUCCEEDED');
  await quiet.answer();
  const { log } = await run(quietHome, counts('quiet'), { run: QUIET_RUN, attempt: 2 }, quiet);
  expect(log).toContain(FOLLOWED);
  expect(log).toContain(LINES);
  expect((await ray.submitted()).filter((id) => id.startsWith('ffff') && id.endsWith('-run'))).toHaveLength(1);
});
