/** @long @needs temporal tools */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { createMakePlan } from '../../src/activities/plan/make-plan.js';
import { orderDigest } from '../../src/adapters/facts/submit-here.js';
import { createPlanner } from '../../src/adapters/facts/planner.js';
import { openFolder } from '../../src/adapters/static-index/folder.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import { createIndexWriter } from '../../src/adapters/temporal/index-writer.js';
import { sha256 } from '../../src/adapters/sha256.js';
import { tryKey } from '../../src/engine/cache/key-parts.js';
import { fail, type Problem } from '../../src/model/failure.js';
import type { Plan, StepOf } from '../../src/model/plan.js';
import { type FailedTry, records } from '../../src/model/run-folder.js';
import { connect } from '../../src/client/connect.js';
import type { ReleaseClient } from '../../src/client/index.js';
import type { ListRequest } from '../../src/model/index-writer.js';
import type { RunStatus } from '../../src/model/messages.js';
import { scheduleIdOf } from '../../src/model/schedule.js';
import { put, snapshot } from '../activities/index/an-index.js';
import { aWheelList, LISTED, sdist, type WheelListWorld } from '../support/a-wheel-list.js';
import { until } from '../support/until.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../temporal-env.js';
import { ending, fakeActivities, fakeWatch, type FakeStep } from './fake-activities.js';
import { draw } from './index-worker.js';
import { pastOf } from '../support/past-of.js';

let env: TestWorkflowEnvironment;
let bundle: { code: string };
let client: ReleaseClient;
let world: WheelListWorld;
beforeAll(async () => {
  world = await aWheelList();
  [env, bundle] = await Promise.all([startTemporal(), bundleWorkflows()]);
  client = await connect({ address: env.address });
  for (const name of ['skiff-1.0', 'oars-2', 'keel-3'])
    world.index.project(name.split('-')[0]!, [sdist(`${name}.tar.gz`)]);
  const request = { pipeline: 'boats', file: world.file, profile: 'local', rhythm: { everyMs: 365 * 86_400_000 } };
  signed.add(orderDigest(request));
  await client.schedules.put({ ...request, by: 'ann' });
});
afterAll(async () => {
  await client.close();
  await env.teardown();
  await world.end();
});

const signed = new Set<string>();
const signatures = {
  sign: async (digest: string) => void signed.add(digest),
  isSigned: async (digest: string) => signed.has(digest),
};

const store = createDirectoryStore(join(mkdtempSync(join(tmpdir(), 'slipway-refresh-')), 'store'));
/** Project whose builds fail. */
let broken = '';

/** Plans and lists for real. Builds are fake: each leaves a wheel of its target, or a failure as real builds remember it. */
function activities(): object {
  const past = pastOf(() => store);
  const planner = createPlanner(store, signatures, () => [world.folder], past);
  const makePlan = createMakePlan(planner, { unserved: async () => [], slots: async () => ({ control: 20 }) });
  const step: FakeStep = async ({ step: id, plan, run }) => {
    if (broken !== '' && id.startsWith(`wheels/${broken}-`)) await failBuild(await planner.load(plan), id, run);
    const [, name, python, platform] = /^publish\/cache\/wheels\.(.+)\.(cp3\d+)\.(.+)$/.exec(id) ?? [];
    if (name !== undefined) await publish(`${name}-${python}-${python}-linux_x86_64.whl`, platform!);
    return ending;
  };
  const none = (): never => {
    throw new Error('the real planner answers');
  };
  return { ...fakeActivities(none, step), makePlan, lookUpCache: async () => [] };
}

async function failBuild(plan: Plan, id: string, run: string): Promise<never> {
  const build = plan.steps.find((one): one is StepOf<'buildWheel'> & typeof one => one.id === id)!;
  const problem: Problem = { code: 'BUILD_FAILED', class: 'product', message: `${id} has no compiler`, next: 'none' };
  const at = new Date().toISOString();
  const name = `${records.failedTries(id, tryKey(plan, build, sha256))}${at}`;
  await store.create<FailedTry>(name, { run, step: id, at, problem });
  throw fail(problem);
}

async function publish(file: string, platform: string): Promise<void> {
  await put(openFolder('cache', world.wheels), file, platform);
  const request = { plan: world.wheels as ListRequest['plan'], step: 'publish/cache', run: 'a-run' };
  await createIndexWriter(env.client).list(world.wheels, { ...request, names: [`${platform}/${file.split('-')[0]}`] });
}

async function serving<T>(body: () => Promise<T>): Promise<T> {
  const all = activities();
  const workers = await Promise.all([
    makeWorker(env, bundle, all),
    makeWorker(env, bundle, all, { taskQueue: 'linux-x86_64' }),
    makeWorker(env, bundle, { ...fakeWatch(), writePages: draw }, { taskQueue: 'slipway-fleet', shutdownGraceTime: 0 }),
  ]);
  return workers.reduce<() => Promise<T>>((inner, worker) => () => worker.runUntil(inner), body)();
}

/** Starts a run by hand, as the server does at each tick. Returns its status once it has ended. */
async function tick(): Promise<RunStatus> {
  const before = (await client.schedules.find('boats'))!.started;
  await env.client.schedule.getHandle(scheduleIdOf('boats')).trigger();
  const run = await until(async () => {
    const { started, last } = (await client.schedules.find('boats'))!;
    return started > before && !['running', 'unknown'].includes(last[0]!.verdict) && last[0];
  });
  return client.status(run.workflowId, run.run);
}

const stepsOf = ({ steps }: RunStatus): readonly string[] =>
  steps.map(({ id }) => id).filter((id) => /^(source|wheels|publish)\//.test(id));

test('given a schedule of a wheel list, when nothing is new, then a tick has no step; one more line builds one wheel for each target', async () => {
  world.commit('skiff==1.0\n');
  await serving(async () => {
    expect(stepsOf(await tick())).toContain('wheels/skiff-1.0/cp311/debian-12');
    const pages = snapshot(world.wheels);
    const asked = world.index.asked.length;
    expect(await tick()).toMatchObject({ steps: [], verdict: { verdict: 'done', reasons: ['nothing new: 2 here'] } });
    expect([snapshot(world.wheels), world.index.asked.length]).toEqual([pages, asked]);

    world.commit('skiff==1.0\noars==2\n');
    expect(stepsOf(await tick())).toEqual([
      ...['source/oars-2', 'wheels/oars-2/cp311/debian-12', 'wheels/oars-2/cp313/debian-13'],
      ...['publish/cache/wheels.oars-2.cp311.debian-12', 'publish/cache/wheels.oars-2.cp313.debian-13'],
    ]);
    expect(world.index.asked.slice(asked)).toEqual(['oars']);
    const after = snapshot(world.wheels);
    const redrawn = Object.keys(after).filter((path) => path.includes('/simple/') && after[path] !== pages[path]);
    expect(redrawn.filter((path) => path.includes('/skiff/'))).toEqual([]);
    expect(redrawn.filter((path) => path.endsWith('/oars/index.json'))).toHaveLength(2);

    expect((await tick()).verdict).toEqual({ verdict: 'done', reasons: ['nothing new: 4 here'] });
  });
});

test('given a wheel that fails, then runs fail until it is known, again once that is over, and a mended one passes', async () => {
  const known = (until: string): string =>
    `    known: [{ wheel: keel, because: needs newer headers, until: ${until} }]\n`;
  const keys = (text: string): void =>
    writeFileSync(world.file, LISTED.replace('    file: uc.txt\n', `    file: uc.txt\n${text}`));
  world.commit('skiff==1.0\nkeel==3\n');
  broken = 'keel';
  await serving(async () => {
    const first = await tick();
    expect(first.verdict!.verdict).toBe('failed');
    expect(first.verdict!.reasons.join('\n')).toContain('wheels/keel-3/cp311/debian-12 has no compiler');
    const again = await tick();
    expect(again).toMatchObject({ steps: [], verdict: { verdict: 'failed' } });
    expect(again.verdict!.reasons).toEqual([
      'nothing new: 2 failed before, 2 here',
      ...Array<unknown>(2).fill(expect.stringMatching(/^keel==3 failed before: BUILD_FAILED/)),
    ]);

    keys(known('2999-01-31'));
    expect((await tick()).verdict).toEqual({ verdict: 'done', reasons: ['nothing new: 2 here, 2 known'] });
    keys(known('2020-01-31'));
    expect((await tick()).verdict!.verdict).toBe('failed');

    keys(`${known('2999-01-31')}    with: { keel: { env: { CFLAGS: -O0 } } }\n`);
    broken = '';
    const mended = await tick();
    expect(mended.verdict).toEqual({
      verdict: 'done',
      reasons: ['cp311/debian-12', 'cp313/debian-13'].map(
        (target) => `wheels/keel-3/${target} passed, although \`known\` lists it: needs newer headers`,
      ),
    });
    expect((await tick()).verdict).toEqual({ verdict: 'done', reasons: ['nothing new: 4 here'] });
  });
});
