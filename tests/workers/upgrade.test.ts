/** @long @needs temporal */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Context } from '@temporalio/activity';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { Build, DeploymentView } from '../../src/client/index.js';
import { workflowsDigest } from '../../src/services/build-digest.js';
import { aSkeleton } from '../engine/a-skeleton.js';
import { WORKER_CONVERTER } from '../support/converter.js';
import { ROOT } from '../support/pages.js';
import { bundleWorkflows, startTemporal } from '../temporal-env.js';
import { ending, fakeActivities, fakeWatch } from '../workflows/fake-activities.js';
import { until } from '../workflows/until.js';

const DRAINS_SOON = ['VersionDrainageStatusVisibilityGracePeriod', 'VersionDrainageStatusRefreshInterval'];

let env: TestWorkflowEnvironment;
let bundle: { code: string };
let folder: string;
const children: ChildProcess[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-upgrade-'));
  const drainsSoon = DRAINS_SOON.map((name) => `matching.wv.${name}="1s"`);
  [env, bundle] = await Promise.all([startTemporal(undefined, drainsSoon), bundleWorkflows()]);
});
afterAll(async () => {
  children.forEach((child) => child.kill('SIGKILL'));
  await env.teardown();
  rmSync(folder, { recursive: true, force: true });
});

/** A checkout of its own whose workflow code differs from that of others. */
function checkout(name: string, change: (code: string) => string = (code) => `${code}\n// ${name}`) {
  const root = join(folder, name);
  for (const part of ['dist', 'package.json', 'config'])
    cpSync(join(ROOT, part), join(root, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  const file = join(root, 'dist/workflows/index-writer.js');
  writeFileSync(file, change(readFileSync(file, 'utf8')));
  const of = { ...process.env, TEMPORAL_ADDRESS: env.address, SLIPWAY_HOME: join(root, 'home') };
  const main = join(root, 'dist/cli/main.js');
  const say = (...words: readonly string[]) =>
    promisify(execFile)(process.execPath, [main, 'worker', 'deployments', ...words], { env: of }).then(
      ({ stdout }) => stdout,
      (error: { stderr: string }) => error.stderr,
    );
  const view = async () => JSON.parse(await say('list', '--json')) as DeploymentView;
  const build = workflowsDigest(join(root, 'dist'));
  // The worker finds its bundle, which would take it seconds of CPU.
  mkdirSync(join(root, 'home/cache'), { recursive: true });
  writeFileSync(join(root, `home/cache/workflows-${build}.js`), change(bundle.code));
  const mine = async (): Promise<Build | undefined> => (await view()).builds.find((one) => one.build === build);
  const start = async (): Promise<ChildProcess> => {
    const argv = [main, 'worker', 'start', '--queues', 'workflows', '--deployment', 'releases'];
    const child = spawn(process.execPath, argv, { env: of, stdio: 'ignore', detached: true });
    children.push(child);
    await until(mine, (seen) => (seen?.workers ?? 0) > 0);
    return child;
  };
  return { say, mine, start, build };
}

/** Kills the command and its worker at once. */
async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  process.kill(-child.pid!, 'SIGKILL');
  await gone;
}

/** Something that waits until it is opened. */
function gate() {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

const versionOf = async (workflowId: string) => {
  const { raw } = await env.client.workflow.getHandle(workflowId).describe();
  return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId;
};

test('given a run and an index writer under build A, when A is killed and B becomes current, then each ends where it should', async () => {
  const gates = [gate(), gate(), gate()] as const;
  const [step, pages, morePages] = gates;
  const drawing = new Set<string>();
  const activities = {
    ...fakeActivities(
      () => aSkeleton([{ id: 'steps/a' }, { id: 'report', after: [0] }]),
      async ({ step: id }) => {
        if (id === 'steps/a') await step.opened;
        return ending;
      },
    ),
  };
  const watches = {
    ...fakeWatch(),
    writePages: async ({ requests }: { requests: readonly unknown[] }) => {
      const context = Context.current();
      const beat = setInterval(() => context.heartbeat(), 200);
      const { workflowId } = context.info.workflowExecution!;
      drawing.add(workflowId);
      await (workflowId === 'index/one' ? pages : morePages).opened;
      clearInterval(beat);
      return { outcomes: requests.map(() => ({ findings: [] })) };
    },
  };
  const serve = (taskQueue: string, served: object) =>
    Worker.create({
      ...{ connection: env.nativeConnection, taskQueue, activities: served, dataConverter: WORKER_CONVERTER },
      shutdownForceTime: '10s',
    });
  const [control, fleet] = await Promise.all([serve('control', activities), serve('slipway-fleet', watches)]);
  const { workflow } = env.client;
  const ask = (workflowId: string) =>
    workflow.getHandle(workflowId).startUpdate('list', {
      args: [[{ plan: 'p', step: 's', run: 'r', names: ['linux-x86_64/a'] }]],
      waitForStage: 'ACCEPTED',
    });
  await control.runUntil(() =>
    fleet.runUntil(async () => {
      using _ = { [Symbol.dispose]: () => gates.forEach(({ open }) => open()) };
      const a = checkout('a');
      const ofA = await a.start();
      expect(await a.say('current')).toMatch(new RegExp(`releases +${a.build} +current`));
      const run = await workflow.start('release', {
        ...{ workflowId: 'release/thing/1.0', taskQueue: 'control', args: [{ file: 'slipway.yaml' }] },
      });
      await workflow.start('index', { workflowId: 'index/one', taskQueue: 'control' });
      await ask('index/one');
      await until(async () => drawing.has('index/one'), Boolean);

      const b = checkout('b');
      const ofB = await b.start();
      expect(await b.say('current', a.build.slice(0, 6))).toContain('DEPLOYMENT_BUILD_ELSEWHERE');
      expect(await b.say('ramp', '--percent', '20')).toMatch(new RegExp(`${b.build} +ramping 20 %`));
      expect(await a.say('current')).toMatch(new RegExp(`${a.build} +current`));
      expect((await b.mine())?.state).toMatch(/^drain/); // without a ramp
      expect(await b.say('ramp', '--percent', '30')).toMatch(new RegExp(`${b.build} +ramping 30 %`));
      expect(await b.say('ramp', '--percent', '0')).not.toContain('ramping');
      await kill(ofA);
      expect(await b.say('current')).toMatch(new RegExp(`${b.build} +current`));
      const left = await until(a.mine, (seen) => seen?.workers === 0 && seen.state === 'draining');
      expect(left).toMatchObject({ open: 1 });

      // The writer goes on under B. The run waits for A.
      pages.open();
      await workflow.getHandle('index/one').result();
      expect(await versionOf('index/one')).toBe(b.build);
      step.open();
      expect(await b.say('list')).toMatch(new RegExp(`${a.build} +draining .* stands still`));
      const again = await a.start();
      expect(await run.result()).toMatchObject({ verdict: 'released' });
      expect(await versionOf(run.workflowId)).toBe(a.build);
      expect(await until(a.mine, (seen) => seen?.state === 'drained')).toMatchObject({ open: 0 });
      await kill(again);

      // A build that cannot carry the writer on.
      await workflow.start('index', { workflowId: 'index/two', taskQueue: 'control' });
      await ask('index/two');
      await until(async () => drawing.has('index/two'), Boolean);
      const c = checkout('c', (code) => code.replaceAll('writePages', 'drawPages'));
      const ofC = await c.start();
      const refused = await c.say('current');
      expect(refused).toMatch(/UPGRADE_DIVERGES.*index\/two/);
      expect(refused).toMatch(/nondeterminism/i);
      expect(await b.mine()).toMatchObject({ state: 'current' });
      morePages.open();
      await workflow.getHandle('index/two').result();
      expect(await c.say('current')).toMatch(new RegExp(`${c.build} +current`));
      await Promise.all([kill(ofB), kill(ofC)]);
    }),
  );
});
