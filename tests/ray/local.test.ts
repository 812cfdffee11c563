/** @needs ray */
import { spawn } from 'node:child_process';
import { packageRoot } from '../../src/adapters/home.js';
import type { Problem } from '../../src/model/failure.js';
import type { Result } from '../../src/model/result.js';
import { runBody, type RunBody } from '../support/run-body.js';
import { until } from '../support/until.js';
import { aRequest, atLine, problemOf, processesWith, rayBody, rayLock, rayStep } from '../support/a-cluster-test.js';
import { aRayHome } from './at-end.js';

/** Sums squares on the cluster, then ends with a status. */
const SCRIPT = `import json, os, sys, ray
ray.init()
@ray.remote
def square(n): return n * n
total = sum(ray.get([square.remote(n) for n in range(10)]))
print("total", total, "secret", os.environ.get("TOKEN"), flush=True)
json.dump({"total": total, "trial_states": {"TERMINATED": 3}}, open(os.environ["TEST_OUTPUT_JSON"], "w"))
open("model.bin", "w").write("weights")
sys.exit(int(sys.argv[1]))
`;
const RUN_IT = 'python "$SLIPWAY_FILES/spread.py"';

let home: string;
let lock: Result;
beforeAll(async () => {
  home = await aRayHome();
  lock = await rayLock(home);
});

const run = (more: Parameters<typeof rayStep>[0], options: RunBody = {}) =>
  runBody(rayBody(home), rayStep(more), { home, inputs: [lock], files: { 'spread.py': SCRIPT }, ...options });

const keptNames = (problem: Problem): readonly unknown[] =>
  ((problem.details?.['kept'] ?? []) as readonly { readonly name: string }[]).map(({ name }) => name);

describe('given a local cluster with a real Ray of its own', () => {
  test('when the test ends with status 0 and its result is within bounds, then it passes and its files are stored', async () => {
    Object.assign(process.env, { NIGHTLY_TOKEN: 'tok-1234567890-abcdefghijk', SLIPWAY_BUILD_ENV: 'NIGHTLY_TOKEN' });
    const { made, log } = await run({
      run: `${RUN_IT} 0`,
      result: 'spread.json',
      artifact: 'model.bin',
      alerts: [
        { value: 'total', atLeast: 285, atMost: 285 },
        { value: 'trial_states.TERMINATED', equals: 3 },
        { value: 'last_update_age', atMost: 300 },
      ],
      env: { TOKEN: '$NIGHTLY_TOKEN' },
    });
    expect(made.artifacts.map(({ name }) => name)).toEqual(['test_config.json', 'spread.json', 'model.bin']);
    expect(made.facts).toMatchObject({ nodes: 1, lost: [] });
    expect(log).toContain('total 285 secret $NIGHTLY_TOKEN');
    expect(log).toMatch(/nodes 1\/1, \d+ s/);
    expect(processesWith(home)).toEqual([]);
  });

  test('when the test ends with status 7, then the failure has that status and the files are stored', async () => {
    const problem = await problemOf(run({ run: `${RUN_IT} 7`, result: 'spread.json' }));
    expect(problem).toMatchObject({ code: 'TEST_FAILED', class: 'product', details: { status: 7, ray: 40 } });
    expect(keptNames(problem)).toContain('spread.json');
    expect(processesWith(home)).toEqual([]);
  });

  test('when the attempt is cancelled, then no process of the cluster is left', async () => {
    const cancel = new AbortController();
    const around = { surroundings: atLine('the test has begun', () => cancel.abort()) };
    const ended = run({ run: 'echo "the test has begun"; sleep 600' }, { signal: cancel.signal, ...around });
    await expect(ended).rejects.toThrow();
    expect(processesWith(home)).toEqual([]);
  });
});

/** A worker of its own: it makes a cluster, says so, and waits. */
const WORKER = `const [root, request] = [process.argv[1], JSON.parse(process.argv[2])];
const { createPrograms } = require(root + '/dist/adapters/process/programs.js');
const { createLocalClusters } = require(root + '/dist/adapters/clusters/local.js');
const { createConfine, Reached } = require(root + '/dist/activities/step/confine.js');
const { OWN_PATHS } = require(root + '/dist/activities/step/confine.js');
const programs = createPrograms({ running: request.home + '/running' });
const { folder, cache, step, workspace } = request;
const facts = { step, workspace, cache, paths: OWN_PATHS, noSandbox: programs.noSandbox, accepted: true };
const confine = createConfine({ ...facts, worker: 'a-worker', reached: new Reached() });
const signal = new AbortController().signal;
createLocalClusters(programs).up({ ...request, confine, signal, log() {} }).then(() => console.log('up'));
setInterval(() => {}, 1000);`;

test('given a worker with a cluster, when it is killed, then no process of the cluster is left', async () => {
  const home = await aRayHome();
  const { request, folder, facts } = aRequest(home);
  const { programs: _, confine: __, signal: ___, log: ____, ...plain } = request;
  const given = JSON.stringify({ ...plain, ...facts, folder, home });
  const worker = spawn(process.execPath, ['-e', WORKER, packageRoot(), given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  worker.stdout.on('data', (text: Buffer) => (said += String(text)));
  await until(() => said.includes('up'));
  expect(processesWith(`${home}/work`).length).toBeGreaterThan(0);
  worker.kill('SIGKILL');
  await until(() => processesWith(`${home}/work`).length === 0);
});
