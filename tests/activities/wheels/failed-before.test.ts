/** @needs tools compiler */
import { readFailedBuilds } from '../../../src/activities/plan/past.js';
import { unlessFailedBefore } from '../../../src/activities/step/failed-before.js';
import { fail } from '../../../src/model/failure.js';
import type { Step } from '../../../src/model/plan.js';
import { records } from '../../../src/model/run-folder.js';
import { tryKey } from '../../../src/engine/cache/key-parts.js';
import { aPlan, newHome, realSurroundings, runBody, sha256 } from '../../support/run-body.js';
import { aSource, bodies, handmade, wheelStep } from './fixture.js';

const DAY_MS = 86_400_000;
const failing = wheelStep({ builder: 'command', run: 'echo broken >&2; exit 3', retryFailedMs: 7 * DAY_MS });

async function world() {
  const home = await newHome();
  const inputs = [await aSource(home, { 'pyproject.toml': '' })];
  const attempt = (run: string, step = failing, no = 1) =>
    runBody(bodies.buildWheel, step, { home, inputs, run, attempt: no });
  return { home, inputs, attempt };
}

test('given a build that failed in an earlier run, then the next run does not try it, and names the first failure', async () => {
  const { attempt } = await world();
  await expect(attempt('run-1')).rejects.toMatchObject({ first: { code: 'BUILD_FAILED' } });
  await expect(attempt('run-2')).rejects.toMatchObject({
    first: {
      ...{ code: 'FAILED_BEFORE', class: 'product', details: { code: 'BUILD_FAILED', run: 'run-1' } },
      evidence: expect.arrayContaining(['broken']) as unknown,
    },
  });
});

test('given such a run, when a person retries the step, then it is built again', async () => {
  const { attempt } = await world();
  await attempt('run-1').catch(() => null);
  await attempt('run-2').catch(() => null);
  await expect(attempt('run-2', failing, 2)).rejects.toMatchObject({ first: { code: 'BUILD_FAILED' } });
});

test('given a second attempt of the same run, then it is built', async () => {
  const { attempt } = await world();
  await attempt('run-1').catch(() => null);
  await expect(attempt('run-1', failing, 2)).rejects.toMatchObject({ first: { code: 'BUILD_FAILED' } });
});

test('given a build that failed and passes once it is retried, then it did not fail before', async () => {
  const home = await newHome();
  const problem = { code: 'BUILD_FAILED', class: 'product', message: 'broken', next: 'none' } as const;
  const attempt = (run: string, passes: boolean, no = 1) => {
    const build = async () => (passes ? { artifacts: [], note: 'built' } : Promise.reject(fail(problem)));
    return runBody((work) => unlessFailedBefore(work, build), failing, { home, run, attempt: no });
  };
  const knownOf = async () =>
    (await readFailedBuilds(realSurroundings(home).store)).of(aPlan({ steps: [failing as Step] }));
  await attempt('run-1', false).catch(() => null);
  expect((await knownOf())[failing.id]).toMatchObject({ isSame: true, code: 'BUILD_FAILED' });
  await attempt('run-1', true, 2);
  expect((await knownOf())[failing.id]).toMatchObject({ isSame: false });
  expect((await attempt('run-2', true)).made.note).toBe('built');
});

test('given another recipe, then an earlier failure does not count', async () => {
  const { attempt } = await world();
  await attempt('run-1').catch(() => null);
  const mended = { builder: 'command', run: handmade({ 'skiff/__init__.py': '' }), env: { OUT: '{out}' } } as const;
  const { made } = await attempt('run-2', wheelStep({ ...mended, retryFailedMs: 7 * DAY_MS }));
  expect(made.artifacts).toHaveLength(1);
});

test('given a failure that is older than `retryFailed`, then it is built', async () => {
  const { home, attempt } = await world();
  const { around } = await runBody(async () => ({ artifacts: [], note: '' }), failing, { home });
  const at = new Date(Date.now() - 8 * DAY_MS).toISOString();
  const problem = { code: 'OLD', class: 'product', message: 'old', next: 'none' } as const;
  const folder = records.failedTries(failing.id, tryKey(aPlan(), failing, sha256));
  await around.store.create(`${folder}${at}`, { run: 'run-0', step: failing.id, at, problem });
  await expect(attempt('run-1')).rejects.toMatchObject({ first: { code: 'BUILD_FAILED' } });
});

test('given no `retryFailed`, then each run builds', async () => {
  const { attempt } = await world();
  const { retryFailedMs: _, ...params } = failing.params;
  await attempt('run-1').catch(() => null);
  await expect(attempt('run-2', wheelStep(params))).rejects.toMatchObject({ first: { code: 'BUILD_FAILED' } });
});
