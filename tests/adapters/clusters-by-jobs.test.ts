/** @needs python */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster, ClusterLine } from '../../src/activities/clusters/ports.js';
import { createJobsClusters } from '../../src/adapters/clusters/jobs.js';
import { newHome } from '../support/run-body.js';
import { type FakeRay, startFakeRay } from './fake-ray.js';

let ray: FakeRay;
let cluster: Cluster;
let folder: string;
let said: string;

beforeEach(async () => {
  const home = await newHome();
  [folder, said] = [join(home, 'test'), ''];
  mkdirSync(join(folder, 'out'), { recursive: true });
  writeFileSync(join(folder, 'run.sh'), 'echo begun; echo "{}" > "$(dirname "$0")/out/result.json"; exit 7\n');
  ray = await startFakeRay(home);
  cluster = await createJobsClusters().up({
    spec: { name: 'far', manager: { by: 'jobs', address: ray.address }, nodes: 1, cpus: 1, upMs: 60_000 },
    ...{ id: home.split('/').at(-1)!, folder, venv: null, env: {}, confine: (command) => command },
    ...{ containers: null, signal: new AbortController().signal, log: () => undefined },
  });
});
afterEach(async () => {
  await cluster.down();
  await ray.close();
});

const line = (again: boolean): ClusterLine => ({
  ...{ script: join(cluster.at, 'run.sh'), by: 'job', id: `${cluster.at.split('/').at(-1)}-run`, endMs: 60_000, again },
  ...{ signal: new AbortController().signal, leaves: () => false, onOutput: (text) => void (said += text) },
});

test('given a Ray that runs, when a test runs there, then its files arrive, and its output, status and results come back', async () => {
  await cluster.put();
  expect(await cluster.run(line(false))).toBe(7);
  expect(said).toBe('begun\n');
  await cluster.get();
  expect(readFileSync(join(folder, 'out', 'result.json'), 'utf8')).toBe('{}\n');
});

test('given a test that an earlier worker began, when the Ray still knows its job, then the job is followed', async () => {
  await cluster.put();
  await cluster.run(line(false));
  expect(await cluster.run(line(true))).toBe(7);
});

test.each([
  ['a test that an earlier worker began', true],
  ['a test that begins', false],
])('given %s, when the Ray was restarted, then the cluster is gone, and nothing runs', async (_, again) => {
  await cluster.put();
  ray.restart();
  expect(await cluster.run(line(again))).toBeNull();
  expect(ray.ordered.filter((id) => id.endsWith('-run'))).toEqual([]);
});
