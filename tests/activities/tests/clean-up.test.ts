/** @needs sandbox */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBodies } from '../../../src/activities/kind-bodies.js';
import { readInputs } from '../../../src/activities/step/inputs.js';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { createPrograms } from '../../../src/adapters/process/programs.js';
import type { StepOf } from '../../../src/model/plan.js';
import type { Result } from '../../../src/model/result.js';
import { aPlan, aResult, aStep, anArtifact, runBody } from '../../support/run-body.js';

const home = mkdtempSync(join(tmpdir(), 'slipway-tests-'));
const programs = createPrograms({ running: join(home, 'running'), graceMs: 500 });
const { tidyUp } = makeBodies(['tidyUp'], { programs, archives: createArchives(), containers: null });

const PARAMS = { env: {}, folder: '.', where: { in: 'host' as const }, outputs: [], expect: null };
const cleanUp = (source: string | undefined, run = 'cat NAME'): StepOf<'tidyUp'> =>
  aStep('tidyUp', { ...PARAMS, run }, { id: 'steps/clean', after: ['steps/load'], ...(source && { source }) });

/** Results of sources, each with a tree of one file that says its name. */
async function sourcesOf(...names: readonly string[]): Promise<readonly Result[]> {
  return Promise.all(
    names.map(async (name) => {
      const tree = mkdtempSync(join(tmpdir(), 'slipway-tree-'));
      writeFileSync(join(tree, 'NAME'), `${name}\n`);
      const tar = join(home, `${name}.tar.gz`);
      await createArchives().pack(tree, tar, { epoch: 1_700_000_000, top: name });
      const artifact = await anArtifact(home, `${name}.tar.gz`, readFileSync(tar), { kind: 'source' });
      return aResult({ id: `source/${name}`, kind: 'fetchSource' }, { artifacts: [artifact], facts: { epoch: '7' } });
    }),
  );
}

const PLAN = aPlan({
  steps: ['skiff', 'keel'].map((name) => aStep('fetchSource', {} as never, { id: `source/${name}` })) as never,
});

let runs = 0;
async function run(step: StepOf<'tidyUp'>, results: readonly Result[]) {
  const resultOf = async (id: string): Promise<Result | null> => results.find((one) => one.step === id) ?? null;
  const { inputs, epoch } = await readInputs(resultOf, PLAN, step as never);
  return runBody(tidyUp, step, { home, plan: PLAN, inputs, run: `run-${++runs}`, ...(epoch !== null && { epoch }) });
}

test.each(['skiff', 'keel'])(
  'given the source %s, when the clean-up runs, then it stands in its tree',
  async (name) => {
    const { log } = await run(
      cleanUp(`source/${name}`, 'cat NAME; echo "$SOURCE_DATE_EPOCH"'),
      await sourcesOf('keel', 'skiff'),
    );
    expect(log).toBe(`${name}\n7\n`);
  },
);

test('given no result of its source, then it fails with a code, and its command does not run', async () => {
  const results = await sourcesOf('keel');
  await expect(run(cleanUp('source/skiff', 'echo ran'), results)).rejects.toMatchObject({
    problems: [{ code: 'TREE_NOT_FETCHED', class: 'config', message: expect.stringContaining('source/skiff') }],
  });
});

test('given a clean-up without a source, then it stands in its folder of inputs as before', async () => {
  const { log } = await run(cleanUp(undefined, 'basename "$PWD"; ls NAME || true'), await sourcesOf('skiff'));
  expect(log).toMatch(/^inputs\n.*NAME/);
});
