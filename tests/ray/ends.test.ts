/** @needs ray services docker */
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../src/adapters/home.js';
import type { Said } from '../support/own-services.js';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';
import { aProject, type Project } from './a-project.js';
import { startRunningRay } from './running-ray.js';
import { aRayHome } from './at-end.js';

const RELEASE = `slipway: 1
pipeline: { name: boxes, label: minute }
source: { git: . }
pythons: [cp311]
deps: { ray: { requires: ['ray[default]==2.60.0'] } }
bases:
  system: { debian: bookworm, packages: [python3-venv, procps] }
clusters:
  two: { manager: docker, nodes: 2, memory: 1200m }
  one: { manager: local }
  running: { manager: jobs, address: 'http://127.0.0.1:PORT' }
tests:
  counts: { cluster: running, folder: release/core, run: python count.py, timeout: 10m }
  waits_here: { needs: [deps/ray], cluster: one, folder: release/core, run: bash waits.sh, timeout: 50m }
  night:
    import: ray
    files: [release/release_tests.yaml]
    clusters: { aws: two }
    byod: { base: system, dockerfile: release/byod/Dockerfile, network: true }
`;

/** Two tests with the same custom image. */
const TESTS = `- name: DEFAULTS
  group: core
  team: core
  frequency: nightly
  python: '3.11'
  working_dir: core
  cluster:
    cluster_compute: two.yaml
    byod: { post_build_script: mark.sh, python_depset: ray.lock }
- name: in_its_image
  run: { timeout: 600, script: python nodes.py, wait_for_nodes: { num_nodes: 2 } }
- name: waits
  run: { timeout: 3000, script: bash waits.sh, wait_for_nodes: { num_nodes: 2 } }
`;

const DOCKERFILE = `ARG BASE
FROM $BASE
ARG POST_BUILD_SCRIPT PYTHON_DEPSET
ENV PIP_CERT=/etc/ssl/certs/ca-certificates.crt
COPY . /src
RUN python3 -m venv /opt/ray && /opt/ray/bin/pip install --require-hashes -r /src/$PYTHON_DEPSET
RUN PATH=/opt/ray/bin:$PATH bash /src/$POST_BUILD_SCRIPT
`;

/** Passes where each node runs from the image. */
const NODES = `import json, os, ray
ray.init()
@ray.remote(scheduling_strategy="SPREAD")
def mark(): return open("/opt/ray/mark").read().strip()
marks = ray.get([mark.remote() for _ in range(4)])
print("marks", sorted(set(marks)), "nodes", len(ray.nodes()), flush=True)
assert set(marks) == {"made for it"}
`;

/** Waits for the file `go`. A child process notes that it was told to end. */
const WAITS = `: > child
(trap 'echo told >> child; exit' TERM; sleep 3000 & wait) &
echo "the test has begun"
touch begun
until [ -e go ]; do sleep 0.2; done
`;

/** Counts on a Ray that runs already, after it has noted its begin there. After line 5 it waits for the file /tmp/go. */
const COUNT = `import os, ray, time
open("/tmp/begins", "a").write("begun\\n")
ray.init()
for n in range(200):
    print("line", n, flush=True)
    while n == 5 and not os.path.exists("/tmp/go"):
        time.sleep(0.1)
`;
const FOLLOWED = 'which another worker began';
const LINES = Array.from({ length: 200 }, (_, n) => `line ${n}\n`).join('');

const COMPUTE = `head_node_type: { instance_type: m5.large }
worker_node_types: [{ instance_type: m5.large, max_workers: 1 }]
`;

let project: Project;
let port: number;
beforeAll(async () => {
  port = await freePort();
  project = await aProject('.', (folder) => {
    const files = {
      ...{ 'slipway.yaml': RELEASE.replace('PORT', String(port)), 'release/core/count.py': COUNT },
      ...{ 'release/release_tests.yaml': TESTS, 'release/byod/Dockerfile': DOCKERFILE },
      ...{ 'release/core/two.yaml': COMPUTE, 'release/core/nodes.py': NODES, 'release/core/waits.sh': WAITS },
      'release/ray_release/environments/aws.env': '',
      'release/ray_release/byod/mark.sh': 'echo "made for it" > /opt/ray/mark\n',
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const lock = join(packageRoot(), 'tools', 'ray-requirements.txt');
    copyFileSync(lock, join(folder, 'release', 'ray_release', 'byod', 'ray.lock'));
  });
});
afterAll(() => project?.close());

/** Folder in which a test that waits has begun. Null: none has. */
function begunIn(): string | null {
  const below = (folder: string): readonly string[] =>
    existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  const attempts = below(join(project.home, 'work')).flatMap(below);
  const folders = attempts.map((attempt) => join(attempt, 'work', 'test', 'source', 'release', 'core'));
  return folders.find((folder) => existsSync(join(folder, 'begun'))) ?? null;
}

/** Starts a run of one test. Resolves when it has ended. */
const runOf = (test: string, label: string): Promise<Said> =>
  project.run('run', '--wait', '--label', label, '--only', `tests/${test}`, '--on-hold', 'fail');

test('given a test with a custom image, when it runs, then the image is built, and all nodes run from it', async () => {
  const { code, stdout, stderr } = await runOf('in_its_image', 'N1');
  expect({ code, said: stdout + stderr }).toMatchObject({ code: 0 });
  expect(await project.outcomes('boxes')).toMatchObject([
    { code: null, nodes: { seen: 2, lost: [] }, tested: [{ name: expect.stringMatching(/^byod-[0-9a-f]{12}/) }] },
  ]);
  expect(await project.left()).toEqual([]);
});

describe.each([
  ['containers', 'waits'],
  ['processes', 'waits_here'],
])('given a test on a cluster of %s', (_, name) => {
  test('when its run is cancelled, then its child processes got SIGTERM, and nothing is left within 15 s', async () => {
    const ended = runOf(name, `cancelled-${name}`);
    const folder = await until(begunIn);
    // The folder goes with the attempt, and another name of a file stays.
    const child = join(project.home, `child-${name}`);
    linkSync(join(folder, 'child'), child);
    expect((await project.run('cancel')).code).toBe(0);
    const atMs = performance.now();
    await until(async () => (await project.left()).length === 0);
    expect(performance.now() - atMs).toBeLessThan(15_000);
    expect((await ended).code).toBe(3);
    expect(readFileSync(child, 'utf8')).toBe('told\n');
    expect(begunIn()).toBeNull();
  });

  test('when its worker is killed, then another worker begins it again, and nothing is left', async () => {
    const ended = runOf(name, `killed-${name}`);
    const first = await until(begunIn);
    const worker = project.pidOf('worker-linux-x86_64');
    process.kill(worker, 'SIGKILL');
    rmSync(join(first, 'begun'), { force: true });
    const second = await until(begunIn);
    expect(project.pidOf('worker-linux-x86_64')).not.toBe(worker);
    writeFileSync(join(second, 'go'), '');
    expect((await ended).code).toBe(0);
    expect(await project.left()).toEqual([]);
    expect(begunIn()).toBeNull();
  });
});

test('given a job on a Ray that runs already, when its worker is killed, then another worker follows the same job, and its output is whole', async () => {
  const ray = await startRunningRay(await aRayHome(), port);
  const before = await project.runs();
  try {
    const ended = runOf('counts', 'killed-counts');
    const run = await until(async () => (await project.runs()).find((one) => !before.includes(one)));
    await until(async () => (await project.logOf(run, 'tests/counts')).includes('line 5\n'));
    const worker = project.pidOf('worker-linux-x86_64');
    process.kill(worker, 'SIGKILL');
    const found = until(async () => (await project.logOf(run, 'tests/counts')).includes(FOLLOWED));
    await Promise.race([ended, found]);
    await ray.onHead('touch', '/tmp/go');
    const { code, stdout, stderr } = await ended;
    expect({ code, said: stdout + stderr }).toMatchObject({ code: 0 });
    expect(project.pidOf('worker-linux-x86_64')).not.toBe(worker);
    const [, followed] = (await project.logOf(run, 'tests/counts')).split(FOLLOWED);
    expect(followed).toContain(LINES);
    expect(await ray.onHead('cat', '/tmp/begins')).toBe('begun\n');
    expect((await ray.submitted()).filter((id) => id.endsWith('-run'))).toHaveLength(1);
  } finally {
    await ray.end();
  }
});
