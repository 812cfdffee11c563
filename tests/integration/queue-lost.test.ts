/** @long @needs temporal services */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { machineName } from '../../src/activities/prove-queue/measure.js';
import { packageRoot, toolsBin } from '../../src/adapters/home.js';
import type { FleetView } from '../../src/cli/fleet.js';
import { RELEASE_WORKFLOW } from '../../src/model/ids.js';
import type { RunStatus } from '../../src/model/messages.js';
import { endPrograms, slipway } from '../support/own-services.js';
import { newHome } from '../support/run-body.js';
import { homeWithWorkflows } from '../support/shared-cache.js';
import { startTemporal } from '../temporal-env.js';
import { until } from '../support/until.js';
import { statusOf } from '../support/ask-run.js';

let env: TestWorkflowEnvironment;
let home: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  [env, home] = await Promise.all([startTemporal(), homeWithWorkflows()]);
  for (const role of [['--workflows'], ['--queue', 'control'], ['--queue', machineName()]])
    children.push(
      start(packageRoot(), [join('dist', 'workers', 'main.js'), ...role], {
        SLIPWAY_HOME: home,
        SLIPWAY_SANDBOX: 'none',
      }),
    );
});
afterAll(async () => {
  endPrograms();
  children.forEach((child) => child.kill('SIGKILL'));
  await env?.teardown();
});

const surroundings = (more: Record<string, string>): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '/',
  TEMPORAL_ADDRESS: env.address,
  ...more,
});

const start = (cwd: string, argv: readonly string[], more: Record<string, string>): ChildProcess =>
  spawn(process.execPath, argv, { cwd, env: surroundings(more), stdio: ['ignore', 'ignore', 'pipe'] });

/** `slipway worker start` in a folder that knows nothing but the server's address and the store. */
async function comeFrom(name: string): Promise<{ folder: string; child: ChildProcess }> {
  const folder = await newHome();
  const own = { SLIPWAY_HOME: join(folder, 'home'), SLIPWAY_STORE: join(home, 'store'), SLIPWAY_SANDBOX: 'none' };
  const argv = [join(packageRoot(), 'bin', 'slipway.js'), 'worker', 'start', '--queues', 'gpu', '--name', name];
  const child = start(folder, argv, own);
  children.push(child);
  return { folder, child };
}

const say = (...args: readonly string[]) => slipway(home, args, surroundings({ SLIPWAY_HOME: home }));

const workersOf = async (): Promise<FleetView> => JSON.parse((await say('workers', '--json')).stdout) as FleetView;
const isServing = (name: string) => async (): Promise<boolean> =>
  (await workersOf()).workers.some(({ worker, state }) => worker === name && state === 'serving');

/** An instance ends in its process id. */
const pidOf = async (name: string): Promise<number> =>
  Number(
    (await workersOf()).workers
      .find(({ worker }) => worker === name)
      ?.announcement?.instance.split('-')
      .at(-1),
  );

/** `long` runs for ever where it runs first, and ends at once where it runs again; the others wait for the test's word. */
function aProject(): string {
  const folder = join(home, 'project');
  mkdirSync(folder);
  const [mark, go] = [join(home, 'mark'), join(home, 'go')];
  writeFileSync(
    join(folder, 'slipway.yaml'),
    `slipway: 1
isolation: none
release: { name: fleet, version: '1.0' }
source: { git: . }
platforms: [${machineName()}]
steps:
  long: { on: gpu, run: 'if [ -e ${mark} ]; then echo again; else echo $$ > ${mark}; sleep 600; fi' }
  after: { on: gpu, needs: [steps/long], run: echo after }
  early: { run: 'until [ -e ${go} ]; do sleep 0.2; done' }
  later: { needs: [steps/early], run: echo later }
`,
  );
  const git = (...args: readonly string[]): void => void execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-q', '-m', 'first');
  return folder;
}

const hasTools = existsSync(join(toolsBin(), 'temporal'));

(hasTools ? test : test.skip)(
  'when a queue loses its last worker, then this is reported, other steps go on, and another worker takes over',
  async () => {
    await comeFrom('first');
    await until(isServing('gpu@first'));
    await until(isServing((await workersOf()).workers.find(({ queue }) => queue === machineName())?.worker ?? ''));
    const started = await say('run', aProject(), '--no-wait');
    expect(started.stderr).toContain('Started: rehearsal/fleet/1.0');
    const handle = env.client.workflow.getHandle('rehearsal/fleet/1.0');
    await until(async () => existsSync(join(home, 'mark')));

    process.kill(await pidOf('gpu@first'), 'SIGKILL');
    const status = (): Promise<RunStatus> => statusOf(handle);
    const lost = await until(async () => ((await status()).waiting ? status() : null));
    expect(lost).toMatchObject({ state: 'waiting', waiting: [{ queue: 'gpu', steps: 1 }] });
    expect(lost.steps.find(({ id }) => id === 'steps/long')).toMatchObject({ state: 'waiting', attempt: 1 });
    expect((await say('status')).stdout).toMatch(
      /waits for a worker of the queue gpu since .*\n.*slipway worker start --queues gpu/,
    );
    const attributes = (await handle.describe()).typedSearchAttributes.getAll();
    expect(attributes).toContainEqual({ key: expect.objectContaining({ name: 'SlipwayState' }), value: 'waiting' });

    writeFileSync(join(home, 'go'), '');
    const goneOn = await until(async () => {
      const now = await status();
      return now.steps.some(({ id, state }) => id === 'steps/later' && state === 'done') && now;
    });
    expect(goneOn.waiting).toMatchObject([{ queue: 'gpu' }]);

    const second = await comeFrom('second');
    const { verdict, status: last } = (await handle.result()) as { verdict: string; status: RunStatus };
    expect(verdict).toBe('rehearsed');
    expect(last.waiting).toBeUndefined();
    expect(last.steps.filter(({ state }) => state !== 'done')).toEqual([]);

    // The same worker is sent away, stays away, and comes back.
    const ended = once(second.child, 'exit');
    expect(await say('worker', 'quarantine', 'gpu@second', '--reason', 'too warm')).toMatchObject({ code: 0 });
    expect(await ended).toEqual([0, null]);
    const again = await comeFrom('second');
    let told = '';
    again.child.stderr!.on('data', (text: Buffer) => (told += text.toString()));
    expect(await once(again.child, 'close')).toEqual([1, null]);
    expect(told).toMatch(/WORKER_QUARANTINED .*gpu@second .*too warm/);
    await say('worker', 'release', 'gpu@second');
    const back = await comeFrom('second');
    await until(isServing('gpu@second'));
    const gone = once(back.child, 'exit');
    await say('worker', 'drain', 'second');
    expect(await gone).toEqual([0, null]);
    expect(await env.client.workflow.count(`WorkflowType = '${RELEASE_WORKFLOW}'`)).toMatchObject({ count: 1 });
  },
);
