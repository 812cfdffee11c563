/** @long @needs temporal prometheus */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../../src/adapters/home.js';
import { freePort } from '../support/free-port.js';
import { startMeasuredRun, type MeasuredRun } from '../support/measured-run.js';
import { until } from '../support/until.js';

const CONFIG = join(packageRoot(), 'config', 'observability');
const PLACE = ['prometheus.yaml', 'alerts.yaml', 'dashboard.json'].map((name) => join(CONFIG, name));
const [SCRAPE, RULES, DASHBOARD] = PLACE as [string, string, string];

let run: MeasuredRun;
let server: ChildProcess;
let address: string;
beforeAll(async () => {
  run = await startMeasuredRun('canary');
  const port = await freePort();
  address = `http://127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'slipway-prometheus-'));
  const targets = run.ports.map((one) => `'127.0.0.1:${one}'`).join(', ');
  const config = readFileSync(SCRAPE, 'utf8')
    .replace(/targets: \[.*\]/, `targets: [${targets}]`)
    .replace('alerts.yaml', RULES)
    .replace(/15s/g, '1s');
  writeFileSync(join(folder, 'prometheus.yaml'), config);
  const argv = [
    `--config.file=${join(folder, 'prometheus.yaml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  server = spawn('prometheus', argv, { stdio: 'ignore' });
  await until(async () => (await asked('sum(up{job="slipway"})').catch(() => []))[0] === 3);
});
afterAll(async () => {
  server?.kill('SIGKILL');
  await run?.end();
});

/** Values of an expression; none if nothing matches. Throws on an expression that Prometheus refuses. */
async function asked(expression: string): Promise<readonly number[]> {
  const answer = await fetch(`${address}/api/v1/query?query=${encodeURIComponent(expression)}`);
  const { status, data } = (await answer.json()) as Answer;
  if (status !== 'success') throw new Error(`${expression} is refused`);
  return data.result.map(({ value: [, text] }) => Number(text));
}
interface Answer {
  readonly status: string;
  readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] };
}

const promtool = (args: readonly string[], input = '') => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', input, cwd: packageRoot() });
  return { status, said: stdout + stderr };
};

test.each([
  ['check', 'config', SCRAPE],
  ['check', 'rules', RULES],
  ['test', 'rules', 'tests/observability/alerts.yaml'],
])('given what config/observability has, then promtool %s %s takes it', (...args) => {
  expect(promtool(args)).toEqual({ status: 0, said: expect.stringContaining('SUCCESS') });
});

test('given the pages of workers, then promtool finds no fault in our metrics, and no error of form in any', async () => {
  for (const page of await run.pages()) {
    const { said } = promtool(['check', 'metrics'], page);
    expect(said.split('\n').filter((line) => line.includes('slipway_') || line.includes('error'))).toEqual([]);
  }
});

test('given three workers, when Prometheus scrapes them, then it has attempts, held steps and slots', async () => {
  expect(await asked('sum(slipway_attempts_total{kind="runCommand", outcome="done"})')).toEqual([1]);
  expect(await asked('max(slipway_steps_held)')).toEqual([1]);
  expect(await asked('count(temporal_worker_task_slots_available{worker_type="ActivityWorker"}) > 0')).toHaveLength(1);
});

const panels = (): readonly string[] =>
  (
    JSON.parse(readFileSync(DASHBOARD, 'utf8')) as { panels: readonly { targets: readonly { expr: string }[] }[] }
  ).panels
    .flatMap(({ targets }) => targets)
    .map(({ expr }) => expr);

test('given the panels of the dashboard, when Prometheus has scraped twice, then each shows something', async () => {
  for (const panel of panels()) await until(async () => (await asked(panel)).length > 0);
});

test('given a builder that dies, then its alert is pending, and so is that of the held step', async () => {
  await run.kill();
  for (const alert of ['SlipwayWorkerGone', 'SlipwayStepsHeld'])
    await until(async () => (await asked(`ALERTS{alertname="${alert}"}`)).length === 1);
  const { groups } = parse(readFileSync(RULES, 'utf8')) as {
    groups: readonly { rules: readonly { expr: string }[] }[];
  };
  for (const { expr } of groups.flatMap(({ rules }) => rules)) await asked(expr);
  expect(await asked('ALERTS{severity="critical"}')).toEqual([]);
});
