import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPerform } from '../../../src/activities/step/perform.js';
import type { Body } from '../../../src/activities/work.js';
import { canonical } from '../../../src/model/json.js';
import type { KindName } from '../../../src/model/kinds.js';
import type { StepEnding } from '../../../src/model/messages.js';
import type { Step } from '../../../src/model/plan.js';
import type { Result } from '../../../src/model/result.js';
import { records } from '../../../src/model/run-folder.js';
import { aPlan, aStep, newHome, realSurroundings } from '../../support/run-body.js';

// The SDK tells of each failed attempt; here they fail on purpose.
Runtime.install({ logger: new DefaultLogger('ERROR') });

const wheel = aStep('takeSdist', { project: 'skiff' }, { id: 'wheels/skiff' });
const check = aStep('takeSdist', { project: 'test' }, { id: 'tests/import', needs: ['wheels/skiff'] });

/** A wheel and a test that reads it; each run says what happened to both. `bytes`: what the build makes. */
async function world() {
  const home = await newHome();
  const around = realSurroundings(home);
  const plan = aPlan({ steps: [wheel, check] as unknown as readonly Step[] });
  const { digest: planDigest } = await around.store.put(asBytes(canonical(plan)));
  const built: string[] = [];
  const builds =
    (bytes: string): Body<KindName> =>
    async (work) => {
      built.push(work.run);
      writeFileSync(join(work.folder, 'skiff.whl'), bytes);
      return { artifacts: [await work.keep(join(work.folder, 'skiff.whl'), 'wheel')], note: 'built' };
    };
  const tests: Body<KindName> = async (work) => {
    const path = await work.fetch(work.artifacts('wheel')[0]!, work.folder);
    return { artifacts: [], facts: { saw: readFileSync(path, 'utf8') }, note: 'passed' };
  };
  const step = async (id: string, body: Body<KindName>, run: string): Promise<StepEnding> => {
    const input = { plan: planDigest, step: id, run, attempt: 1 };
    return (await new MockActivityEnvironment().run(createPerform(around)(body), input)) as StepEnding;
  };
  const result = async (run: string, id = wheel.id): Promise<Result> =>
    (await around.store.read<Result>(records.result(run, id)))!;
  return {
    ...{ around, built, result },
    release: async (run: string, bytes = 'wheel bytes') => {
      const build = await step(wheel.id, builds(bytes), run);
      const test = await step(check.id, tests, run);
      return { build: build.outcome, test: test.outcome, saw: (await result(run, check.id)).facts['saw'] };
    },
    build: (run: string) => step(wheel.id, builds('wheel bytes'), run),
    test: (run: string) => step(check.id, tests, run),
    objectOf: async (run: string) => {
      const hex = (await result(run)).artifacts[0]!.digest.slice(7);
      return join(home, 'store', 'cas', 'sha256', hex.slice(0, 2), hex);
    },
    knownOf: async (run: string) => join(home, 'store', 'records', `${records.known((await result(run)).key)}.json`),
    quarantine: () => readdirSync(join(home, 'store', 'quarantine')),
  };
}

async function* asBytes(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}

function flip(path: string, at = 0): void {
  chmodSync(path, 0o644);
  const bytes = readFileSync(path);
  bytes[at]! ^= 1;
  writeFileSync(path, bytes);
}

test('given a wheel with a flipped bit, then it is quarantined and rebuilt; equal bytes keep its users cached', async () => {
  const { release, objectOf, result, quarantine, built } = await world();
  expect(await release('run-1')).toEqual({ build: 'done', test: 'done', saw: 'wheel bytes' });
  flip(await objectOf('run-1'));
  expect(await release('run-2')).toEqual({ build: 'done', test: 'cached', saw: 'wheel bytes' });
  expect((await result('run-2')).findings).toMatchObject([
    {
      level: 'warning',
      code: 'STORE_REBUILT',
      subject: 'skiff.whl',
      why: expect.stringMatching(/altered or gone; made anew, the same bytes came out/),
    },
  ]);
  expect(quarantine()).toHaveLength(1);
  // Told once: the next run finds all as it should be.
  expect(await release('run-3')).toEqual({ build: 'cached', test: 'cached', saw: 'wheel bytes' });
  expect([(await result('run-3')).findings, built]).toEqual([[], ['run-1', 'run-2']]);
});

test('given a rebuild with other bytes, then those are used from then on, and dependent steps run again', async () => {
  const { release, objectOf, result } = await world();
  await release('run-1');
  flip(await objectOf('run-1'));
  expect(await release('run-2', 'other bytes')).toEqual({ build: 'done', test: 'done', saw: 'other bytes' });
  expect((await result('run-2')).findings[0]!.why).toMatch(/made anew, other bytes came out/);
  expect(await release('run-3', 'a third kind')).toEqual({ build: 'cached', test: 'cached', saw: 'other bytes' });
});

test('given bytes altered after a cache hit, then steps that read them fail, and the next run rebuilds them', async () => {
  const { release, build, test: runTest, objectOf, quarantine, result } = await world();
  await build('run-1');
  flip(await objectOf('run-1'));
  await expect(runTest('run-1')).rejects.toMatchObject({ type: 'STORE_ALTERED' });
  await expect(runTest('run-1')).rejects.toMatchObject({ type: 'STORE_MISSING' });
  expect(quarantine()).toHaveLength(1);
  expect(await release('run-2')).toEqual({ build: 'done', test: 'done', saw: 'wheel bytes' });
  expect((await result('run-2')).findings).toMatchObject([{ code: 'STORE_REBUILT' }]);
});

test.each([
  ['is not valid JSON', (text: string) => text.slice(0, 20)],
  ['is another JSON', () => 'null'],
  ['names another digest', (text: string) => text.replace(/"digest":"sha256:./, '"digest":"sha256:x')],
  ['has other content', (text: string) => text.replace('"note":"built"', '"note":"mended"')],
])('given a cached result whose record %s, then it is not used', async (_how, change) => {
  const { release, knownOf, result, quarantine } = await world();
  await release('run-1');
  const path = await knownOf('run-1');
  chmodSync(path, 0o644);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
  expect(await release('run-2')).toEqual({ build: 'done', test: 'cached', saw: 'wheel bytes' });
  expect((await result('run-2')).findings).toMatchObject([{ code: 'STORE_REBUILT', subject: 'wheels/skiff' }]);
  expect(quarantine()).toEqual(['records']);
  expect(await release('run-3')).toMatchObject({ build: 'cached' });
  expect((await result('run-3')).findings).toEqual([]);
});

test('given a truncated result of the run, then the result is looked up or made again', async () => {
  const { build, around, built } = await world();
  await build('run-1');
  const path = join(around.home, 'store', 'records', 'runs', 'run-1', 'results', 'wheels', 'skiff.json');
  chmodSync(path, 0o644);
  writeFileSync(path, '{"step"');
  expect(await build('run-1')).toMatchObject({ outcome: 'cached', note: 'built' });
  expect(built).toEqual(['run-1']);
});
