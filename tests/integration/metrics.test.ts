/** @long @needs temporal */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { machineName } from '../../src/activities/prove-queue/measure.js';
import { packageRoot } from '../../src/adapters/home.js';
import { startMeasuredRun, type MeasuredRun } from '../support/measured-run.js';

const CANARY = 'canary-5f1e0b';
const ROOT = packageRoot();

let run: MeasuredRun;
let pages: readonly string[];
beforeAll(async () => {
  run = await startMeasuredRun(CANARY);
  pages = await run.pages();
});
afterAll(() => run?.end());

const linesOf = (name: string): readonly string[] =>
  pages.flatMap((page) => page.split('\n').filter((line) => line.startsWith(name)));

test('given steps that ended and failed, then the page of their worker counts them by kind, outcome and class', () => {
  expect([...linesOf('slipway_attempts_total{')].filter((line) => line.includes('runCommand')).sort()).toEqual([
    'slipway_attempts_total{class="none",kind="runCommand",outcome="done"} 1',
    'slipway_attempts_total{class="product",kind="runCommand",outcome="failed"} 1',
  ]);
});

test('given a step that waits for a worker, then the page of control tells its queue, its age and the state of its run', () => {
  const [oldest] = linesOf(`slipway_queue_oldest_seconds{queue="${machineName()}"}`);
  expect(Number(oldest!.split(' ').at(-1))).toBeGreaterThan(0);
  expect(linesOf(`slipway_queue_waiting{queue="${machineName()}"}`)).toEqual([expect.stringMatching(/ 1$/)]);
  expect(linesOf('slipway_runs_open{state="running"}')).toEqual(['slipway_runs_open{state="running"} 1']);
  expect(linesOf('slipway_steps_held')).toEqual(['slipway_steps_held 1']);
});

test('given nothing lost and a store without faults, then the counters that alerts read are there with 0', () => {
  const operations = [
    'again',
    'create',
    'fetch',
    'get',
    'has',
    'list',
    'move',
    'put',
    'putFile',
    'read',
    'setAside',
    'sound',
  ];
  const zeros = operations.map((operation) => `slipway_store_errors_total{operation="${operation}"} 0`);
  // Workers of control and of this machine's queue; one of workflows carries out no steps.
  expect([...new Set(linesOf('slipway_store_errors_total'))].sort()).toEqual(zeros);
  expect(linesOf('slipway_workers_lost_total')).toEqual(Array(2).fill('slipway_workers_lost_total 0'));
});

test("given three workers, then each page has the SDK's slots beside ours", () => {
  for (const page of pages) expect(page).toMatch(/^temporal_worker_task_slots_available\{/m);
});

test('given a canary in the name of a step and in the environment of the workers, then no page has it', () => {
  expect(pages.filter((page) => page.includes(CANARY))).toEqual([]);
  // A run's names are unbounded: labels hold none of them.
  expect(pages.filter((page) => page.includes('skiff') || page.includes('1.2.3'))).toEqual([]);
});

test('given a step that failed, then the line about it in the log of its worker has the ids of run, step and attempt', () => {
  const lines = readFileSync(join(run.home, 'workers.log'), 'utf8').split('\n').filter(Boolean);
  const failed = lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ step }) => step === 'steps/fails');
  expect(failed).toEqual([
    expect.objectContaining({ run: expect.any(String), stepAttempt: 1, attempt: 1, msg: 'Activity failed' }),
  ]);
  expect(failed[0]!['error']).toMatchObject({ message: expect.stringContaining('3') });
});

/** Names in a text, without what Prometheus adds to a histogram. */
const namesIn = (text: string): readonly string[] => [
  ...new Set(text.match(/\b(?:slipway|temporal)_[a-z_]+\b/g)?.map((name) => name.replace(/_(bucket|sum|count)$/, ''))),
];

test.each(['config/observability/alerts.yaml', 'config/observability/dashboard.json', 'docs/observability.md'])(
  'given %s, then each metric that it names is on a page',
  (file) => {
    const there = new Set(pages.flatMap((page) => [...page.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)));
    // The SDK writes this one with the first failure of workflow code. Its name is in the SDK's library.
    there.add('temporal_workflow_task_execution_failed_total');
    const named = namesIn(readFileSync(join(ROOT, file), 'utf8'));
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !there.has(name))).toEqual([]);
  },
);

test('given the metrics of ours on the pages, then docs/observability.md tells each', () => {
  const docs = readFileSync(join(ROOT, 'docs', 'observability.md'), 'utf8');
  const ours = pages.flatMap((page) => [...page.matchAll(/^# TYPE (slipway_\S+)/gm)].map(([, name]) => name!));
  expect([...new Set(ours)].filter((name) => !docs.includes(`\`${name}`))).toEqual([]);
});

test('given a port that is taken, when a worker starts, then it ends with METRICS_PORT_TAKEN and the next command', () => {
  const main = join(ROOT, 'dist', 'workers', 'main.js');
  const env = { ...process.env, SLIPWAY_HOME: run.home, SLIPWAY_METRICS: String(run.ports[0]) };
  const { status, stderr } = spawnSync(process.execPath, [main, '--queue', 'control'], { env, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain(
    `METRICS_PORT_TAKEN (config) the page of metrics cannot be served at 127.0.0.1:${run.ports[0]}`,
  );
  expect(stderr).toContain('Name another port in SLIPWAY_METRICS');
});
