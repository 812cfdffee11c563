/** @long @needs temporal */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Payload } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { SlipwayFailure } from '../../src/model/failure.js';
import { PIPELINE_WORKFLOW, RELEASE_WORKFLOW } from '../../src/model/ids.js';
import { assertOpenRunsReplay } from '../../src/services/open-runs.js';
import { diverged, type Diverged } from '../../src/workers/replay.js';
import { aProblem, aSkeleton } from '../engine/a-skeleton.js';
import { CONVERTER } from '../support/converter.js';
import { codecKeyMissing } from '../../src/adapters/temporal/codec/errors.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../temporal-env.js';
import { fail } from '../../src/model/failure.js';
import { until } from '../workflows/continuing.js';
import { ending, fakeActivities } from '../workflows/fake-activities.js';

let env: TestWorkflowEnvironment;
let bundle: { code: string };
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-replay-'));
  [env, bundle] = await Promise.all([startTemporal(), bundleWorkflows()]);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await env.teardown();
});

const idsOf = (runs: readonly Diverged[]): readonly string[] => runs.map(({ workflowId }) => workflowId).sort();

/** Starts a run of several histories that waits for an action. Its step failed, was retried
 * and failed again in the open history, wherever the server cut that. */
async function heldRun(workflowId: string, type = RELEASE_WORKFLOW): Promise<void> {
  const steps = Array.from({ length: 30 }, (_, step) => ({ id: `steps/s${step}`, needs: step > 0 ? [step - 1] : [] }));
  const activities = fakeActivities(
    () => aSkeleton(steps, type === PIPELINE_WORKFLOW ? { pipeline: true } : {}),
    ({ step }) => {
      if (step === 'steps/s25') throw fail(aProblem());
      return ending;
    },
  );
  const worker = await makeWorker(env, bundle, activities);
  await worker.runUntil(async () => {
    const args = [{ file: 'slipway.yaml', continueAfter: 60 }];
    const handle = await env.client.workflow.start(type, { workflowId, taskQueue: 'control', args });
    const open = env.client.workflow.getHandle(handle.workflowId);
    const held = () => until(open, ({ state, history = 1 }) => state === 'held' && history > 1);
    const failures = async () =>
      (await open.fetchHistory()).events!.filter((one) => one.activityTaskFailedEventAttributes);
    for (await held(); (await failures()).length < 2; await held())
      await open.executeUpdate('retry', { args: ['steps/s25'] });
  });
}

test('given an open run of each type, when the code is unchanged, then it replays; with other code each is named', async () => {
  const workflowIds = ['pipeline/thing/nightly', 'release/open/1.0'];
  const same = async () => ({ workflowBundle: bundle, dataConverter: CONVERTER });
  expect(await diverged(env.client, () => Promise.reject(new Error('nothing is open: it is not asked for')))).toEqual(
    [],
  );
  await heldRun(workflowIds[0]!, PIPELINE_WORKFLOW);
  await heldRun(workflowIds[1]!);
  expect(await diverged(env.client, same)).toEqual([]);
  // A worker without the keys reads no run, whatever its code.
  const locked = {
    encode: async (payloads: Payload[]) => payloads,
    decode: () => Promise.reject(fail(codecKeyMissing('old', []))),
  };
  const keyless = async () => ({ workflowBundle: bundle, dataConverter: { ...CONVERTER, payloadCodecs: [locked] } });
  await expect(diverged(env.client, keyless)).rejects.toThrow(
    /HISTORY_UNREADABLE.*CODEC_KEY_MISSING: .*"old".* is not set/,
  );
  // Code that asks for something else in its first task, and code that does so later.
  const code = bundle.code.replaceAll('loadCheckpoint', 'loadCheckpoints');
  const other = await diverged(env.client, async () => ({ workflowBundle: { code }, dataConverter: CONVERTER }));
  expect(idsOf(other)).toEqual(workflowIds);
  expect(other[0]!.why).toMatch(/nondeterminism/i);
  // It takes no ending of a step, so that the step is not held when the retry comes.
  const [, tag] = /(const end = \(came\)=>\{)/.exec(bundle.code)!;
  const late = bundle.code.replace(tag!, `${tag} if (step >= 0) return;`);
  const later = await diverged(env.client, async () => ({ workflowBundle: { code: late }, dataConverter: CONVERTER }));
  expect(idsOf(later)).toEqual(workflowIds);
});

/** A build whose program for it answers this. */
function aBuild(name: string, prints: string): { home: string; packageRoot: string } {
  const packageRoot = join(folder, name);
  mkdirSync(join(packageRoot, 'dist/workers'), { recursive: true });
  mkdirSync(join(packageRoot, 'dist/workflows'), { recursive: true });
  writeFileSync(join(packageRoot, 'dist/workflows/run.js'), name);
  writeFileSync(join(packageRoot, 'dist/workers/replay-main.js'), prints);
  return { home: join(folder, 'home'), packageRoot };
}
const problemOf = async (build: Parameters<typeof assertOpenRunsReplay>[0]) => {
  const error: unknown = await assertOpenRunsReplay(build).catch((caught: unknown) => caught);
  return error instanceof SlipwayFailure ? error.problems[0] : error;
};

test('given open runs, then `up` refuses a build that cannot replay them, and checks a good build once', async () => {
  const runs = [{ workflowId: 'release/thing/1.0', why: 'Nondeterminism error' }];
  const bad = aBuild('bad', `console.log('${JSON.stringify(runs)}')`);
  const refused = { code: 'OPEN_RUNS_DIVERGE', message: expect.stringContaining('release/thing/1.0') };
  expect(await problemOf(bad)).toMatchObject(refused);
  expect(await problemOf(bad)).toMatchObject(refused);
  const good = aBuild('good', `console.log('[]')`);
  expect(await problemOf(good)).toBeUndefined();
  writeFileSync(join(good.packageRoot, 'dist/workers/replay-main.js'), 'process.exit(1)');
  expect(await problemOf(good)).toBeUndefined(); // the same workflows: not asked again
  // Kinds and workflows of features are in the bundle.
  mkdirSync(join(good.packageRoot, 'dist/features/sample'), { recursive: true });
  writeFileSync(join(good.packageRoot, 'dist/features/sample/kinds.js'), '');
  expect(await problemOf(good)).toMatchObject({ code: 'OPEN_RUNS_NOT_READ' });
  expect(await problemOf(aBuild('away', `console.error('no server'); process.exit(1)`))).toMatchObject({
    code: 'OPEN_RUNS_NOT_READ',
    message: expect.stringContaining('no server'),
  });
});

test('given open runs on a real server, then the replay program checks them', async () => {
  await heldRun('release/open/2.0');
  const packageRoot = join(__dirname, '..', '..');
  const home = mkdtempSync(join(folder, 'home-'));
  writeFileSync(join(home, 'services.json'), JSON.stringify({ services: { temporal: { address: env.address } } }));
  expect(await problemOf({ home, packageRoot })).toBeUndefined();
});
