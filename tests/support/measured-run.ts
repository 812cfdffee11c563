import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { machineName } from '../../src/activities/prove-queue/measure.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import { CONTROL, RELEASE_WORKFLOW, workflowIdOf } from '../../src/model/ids.js';
import { canonical } from '../../src/model/json.js';
import { startTemporal } from '../temporal-env.js';
import { freePort } from './free-port.js';
import { aPlan, aStep } from './run-body.js';
import { homeWithWorkflows } from './shared-cache.js';
import { signPlan } from './sign-plan.js';
import { until } from './until.js';
import { startWorkerProcess, untilServed } from './worker-process.js';

export interface MeasuredRun {
  readonly home: string;
  readonly ports: readonly number[];
  /** The pages of all workers: workflows, control, this machine's queue. */
  pages(): Promise<readonly string[]>;
  /** Kills the worker of this machine's queue, as a host that dies does. */
  kill(): Promise<void>;
  end(): Promise<void>;
}

/** Starts a server, and three workers with a page of metrics each. They carry out a run with a step that ends, one that fails, and
 * three that never end: its worker has two slots, so one of these waits. Resolves once the pages tell all that.
 * @param canary stands in the name of a step, in what it prints, and in the environment of the workers */
export async function startMeasuredRun(canary: string): Promise<MeasuredRun> {
  const env = await startTemporal();
  const children: ChildProcess[] = [];
  try {
    return await started(env, children, canary);
  } catch (error) {
    await end(env, children);
    throw error;
  }
}

async function started(env: TestWorkflowEnvironment, children: ChildProcess[], canary: string): Promise<MeasuredRun> {
  const home = await homeWithWorkflows();
  const roles = [['--workflows'], ['--queue', CONTROL], ['--queue', machineName()]];
  const ports = await Promise.all(roles.map(freePort));
  const own = { SLIPWAY_HOME: home, SLIPWAY_SANDBOX: 'none', TEMPORAL_ADDRESS: env.address, MY_TOKEN: canary };
  for (const [at, role] of roles.entries())
    children.push(startWorkerProcess(role, { ...process.env, ...own, SLIPWAY_METRICS: String(ports[at]) }));
  const pages = () => Promise.all(ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()));
  await untilServed(env.connection, CONTROL, machineName());
  await startRun(env, home, canary);
  await until(async () => tellsAll(await pages()));
  return { home, ports, pages, kill: () => killed(children.at(-1)!), end: () => end(env, children) };
}

async function startRun(env: TestWorkflowEnvironment, home: string, canary: string): Promise<void> {
  const step = (id: string, run: string, needs: readonly string[] = []) =>
    aStep(
      'runCommand',
      { run, env: {}, folder: '.', where: { in: 'host' as const }, outputs: [], expect: null },
      { id: `steps/${id}`, on: machineName(), needs },
    );
  const long = ['a', 'b', 'c'].map((name) => step(`long-${name}`, 'sleep 600', [`steps/${canary}`]));
  const steps = [step(canary, `echo ${canary}`), step('fails', 'exit 3'), ...long];
  const store = createDirectoryStore(join(home, 'store'));
  const plan = aPlan({ isolation: 'none', profile: { name: 'local', rehearsal: true }, steps });
  const { digest } = await store.put(
    (async function* () {
      yield Buffer.from(canonical(plan));
    })(),
  );
  await signPlan(home, store, digest);
  const workflowId = workflowIdOf({ name: 'skiff', version: '1.2.3', rehearsal: true });
  const options = { taskQueue: CONTROL, workflowId, args: [{ plan: digest }] };
  await env.client.workflow.start(RELEASE_WORKFLOW, options);
}

/** All that the suites read: one look may see a figure before it sees another. */
const tellsAll = ([_, control, machine]: readonly string[]): boolean =>
  new RegExp(`^slipway_queue_oldest_seconds\\{queue="${machineName()}"\\} [\\d.]*[1-9]`, 'm').test(control!) &&
  [`slipway_queue_waiting{queue="${machineName()}"} 1`, 'slipway_runs_open{state="running"} 1', 'slipway_steps_held 1']
    .map((line) => `${line}\n`)
    .every((line) => control!.includes(line)) &&
  ['none",kind="runCommand",outcome="done"', 'product",kind="runCommand",outcome="failed"']
    .map((labels) => `slipway_attempts_total{class="${labels}} 1\n`)
    .every((line) => machine!.includes(line));

async function end(env: TestWorkflowEnvironment, children: readonly ChildProcess[]): Promise<void> {
  await Promise.all(children.map(killed));
  await env.teardown();
}

async function killed(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  if (child.kill('SIGKILL')) await ended;
}
