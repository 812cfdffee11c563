import { attemptStep } from '../../../src/activities/step/attempt.js';
import type { Body } from '../../../src/activities/work.js';
import { layoutPath } from '../../../src/model/layout.js';
import type { Plan } from '../../../src/model/plan.js';
import { records } from '../../../src/model/run-folder.js';
import type { Result } from '../../../src/model/result.js';
import { anArtifact, aPlan, aStep, newHome, realSurroundings } from '../../support/run-body.js';

const COMMIT = 'c'.repeat(40);
const onMain: Plan['source'] = { kind: 'git', commit: COMMIT, branch: 'main' };
const step = aStep('takeSdist', { project: 'skiff' });

/** Runs of one step over one store, each with its own bytes. */
async function world(source: Plan['source'], key: (run: string) => string = (run) => run) {
  const home = await newHome();
  const around = realSurroundings(home);
  const run = async (id: string, bytes: string): Promise<Result> => {
    const body: Body<'takeSdist'> = async () => ({
      artifacts: [
        await anArtifact(home, 'skiff-1.whl', bytes, { kind: 'wheel' }),
        await anArtifact(home, 'log', bytes),
      ],
      note: '',
    });
    const its = { ...step, params: { project: key(id) } }; // another key: nothing is known
    const plan = aPlan({ source, steps: [its] });
    const input = { plan: 'sha256:0' as const, step: step.id, run: id, attempt: 1 };
    await attemptStep(body, input, plan, around, { signal: new AbortController().signal, delivery: 1 });
    return (await around.store.read<Result>(records.result(id, step.id)))!;
  };
  return { run, layout: around.layout('skiff') };
}

test('given a commit, then an artifact is placed under branch, commit and name before its result is recorded', async () => {
  const { run, layout } = await world(onMain);
  const result = await run('run-1', 'bytes');
  expect(await layout.list('main/')).toEqual([`main/${COMMIT}/skiff-1.whl`]);
  expect(await layout.find(`main/${COMMIT}/skiff-1.whl`)).toMatchObject({ digest: result.artifacts[0]!.digest });
  expect(result.findings).toEqual([]);
});

test('given a result of another run, then it is placed under this commit too', async () => {
  const home = await world(onMain, () => 'same');
  await home.run('run-1', 'bytes');
  expect((await home.run('run-2', 'would be other bytes')).findings).toEqual([]);
});

test('given other bytes for one commit and name, then they are reported, and the first bytes stay', async () => {
  const { run, layout } = await world(onMain);
  const first = await run('run-1', 'bytes');
  const second = await run('run-2', 'other bytes');
  expect(second.findings).toMatchObject([{ code: 'LAYOUT_HOLDS_OTHER', subject: `main/${COMMIT}/skiff-1.whl` }]);
  expect(await layout.find(`main/${COMMIT}/skiff-1.whl`)).toMatchObject({ digest: first.artifacts[0]!.digest });
});

test('given a source archive, then nothing is placed, because it has no commit', async () => {
  const { run, layout } = await world({ kind: 'sdist', name: 'x', version: '1', sha256: 'a'.repeat(64), branch: null });
  await run('run-1', 'bytes');
  expect(await layout.list('sdist/')).toEqual([]);
});

const named = { digest: 'sha256:0', size: 1, name: 'a.jar', kind: 'jar' } as const;
const detached: Plan['source'] = { kind: 'git', commit: COMMIT, branch: null };
test.each([
  ['a JAR for one platform', onMain, { ...named, labels: { platform: 'p' } }, `main/${COMMIT}/jars/p/a.jar`],
  ['a JAR for all', onMain, { ...named, labels: {} }, `main/${COMMIT}/a.jar`],
  ['a commit on no branch', detached, { ...named, labels: {} }, `HEAD/${COMMIT}/a.jar`],
  ['an image', onMain, { ...named, kind: 'image' as const, labels: {} }, null],
])('given %s, then it is placed at the expected path', (_what, source, artifact, path) => {
  expect(layoutPath({ source }, artifact)).toBe(path);
});
