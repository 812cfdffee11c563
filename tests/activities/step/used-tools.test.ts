/** @slow */
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createDifferences } from '../../../src/activities/fleet/measure-worker.js';
import { createProveQueue } from '../../../src/activities/prove-queue/prove-queue.js';
import type { Interpreters } from '../../../src/activities/pythons/ports.js';
import { attemptStep } from '../../../src/activities/step/attempt.js';
import type { StepContext } from '../../../src/activities/step/ports.js';
import type { Body } from '../../../src/activities/work.js';
import { partsIn } from '../../../src/engine/why/made.js';
import { changedFields } from '../../../src/engine/why/changed.js';
import { stepKey } from '../../../src/engine/cache/step-key.js';
import type { KindName } from '../../../src/model/kinds.js';
import type { Plan, StepOf } from '../../../src/model/plan.js';
import type { Result } from '../../../src/model/result.js';
import { records } from '../../../src/model/run-folder.js';
import { HEAD, planOf, stepOf } from '../../plan/a-plan.js';
import { newHome, realSurroundings, sha256 } from '../../support/run-body.js';

const interpreters: Interpreters = { find: async () => null, tags: async () => [] };
const ON = 'prove/queue/gpu';

/** A worker whose PATH has these tools and what a shell line needs. */
async function aWorker(home: string, tools: Readonly<Record<string, string>>): Promise<StepContext> {
  const folder = join(await newHome(), 'bin');
  await mkdir(folder);
  for (const name of ['sh', 'head', 'tr', 'cut', 'true'])
    await symlink(existsSync(`/bin/${name}`) ? `/bin/${name}` : `/usr/bin/${name}`, join(folder, name));
  for (const [name, version] of Object.entries(tools)) {
    await writeFile(join(folder, name), `#!/bin/sh\necho "${name} ${version}"\n`);
    await chmod(join(folder, name), 0o755);
  }
  const around = realSurroundings(home, { env: { PATH: folder }, toolsBin: folder });
  const measured = { machine: '', libc: null, lookedFor: [], tools: {}, pythons: {}, bare: {}, can: [], queue: 'gpu' };
  return { ...around, differs: createDifferences(around, interpreters, measured) };
}

const JAR = `${HEAD.replace('[cp311, cp312]', '[]')}jars:
  hull: { builder: command, run: mvn package, tools: [mvn], on: gpu }
`;
const AND_IMAGE = `${JAR}images:
  hull: { on: gpu, needs: [source] }
`;

const plain: Body<KindName> = async () => ({ artifacts: [], facts: { epoch: 7 }, note: 'made' });

/** Carries out source, proof and JAR as the steps of a run do. Returns the outcome of the JAR. */
async function ran(plan: Plan, run: string, around: StepContext, more: { on?: StepContext; noCache?: true } = {}) {
  const moment = { signal: new AbortController().signal, delivery: 1 };
  const attempt = (id: string, body: Body<KindName>, on: StepContext) =>
    attemptStep(
      body,
      { plan: sha256(run), step: id, run, attempt: 1, ...(more.noCache && { noCache: true }) },
      plan,
      on,
      moment,
    );
  await attempt(plan.steps.find(({ kind }) => kind === 'fetchSource')!.id, plain, around);
  await attempt(ON, createProveQueue({ interpreters }) as unknown as Body<KindName>, around);
  return (await attempt('jars/hull', plain, more.on ?? around)).outcome;
}

describe('given a JAR on a queue', () => {
  const tools = { mvn: '3.8.7', docker: '20.10' };
  const [jar, both] = [planOf(JAR), planOf(AND_IMAGE)];

  test('when an image is added to the file, then the proof asks for Docker too, and the JAR is reused', async () => {
    const around = await aWorker(await newHome(), tools);
    expect(await ran(jar, 'run-0001', around)).toBe('done');
    expect(await ran(both, 'run-0002', around)).toBe('cached');
    const [alone, more] = await Promise.all(
      ['run-0001', 'run-0002'].map((run) => around.store.read<Result>(records.result(run, ON))),
    );
    expect([alone!.facts['tools'], more!.facts['tools']]).toEqual([
      { mvn: '3.8.7' },
      { docker: '20.10', mvn: '3.8.7' },
    ]);
  });

  test('when the tool that it uses has another version, then it is made anew, and the field of its key is named', async () => {
    const home = await newHome();
    const [old, now] = [await aWorker(home, tools), await aWorker(home, { ...tools, mvn: '3.9.1' })];
    expect(await ran(both, 'run-0001', old)).toBe('done');
    expect(await ran(both, 'run-0002', now)).toBe('done');
    const step = stepOf(both, 'jars/hull') as StepOf<'buildJar'>;
    const parts = await Promise.all(['run-0001', 'run-0002'].map((run) => partsIn(old.store, run, both, step)));
    expect(changedFields(parts[0]!, parts[1]!)).toEqual([{ field: 'tools.mvn', before: '3.8.7', after: '3.9.1' }]);
    const { key } = (await old.store.read<Result>(records.result('run-0002', 'jars/hull')))!;
    expect(stepKey(parts[1]!, sha256)).toBe(key);
  });

  test('when another worker has another Docker, then it takes the JAR; with another Maven it refuses it', async () => {
    const home = await newHome();
    const around = await aWorker(home, tools);
    const [docker, maven] = [{ docker: '99.0' }, { mvn: '99.0' }].map((other) => aWorker(home, { ...tools, ...other }));
    expect(await ran(both, 'run-0001', around, { on: await docker!, noCache: true })).toBe('done');
    await expect(ran(both, 'run-0002', around, { on: await maven!, noCache: true })).rejects.toMatchObject({
      problems: [{ code: 'TOOLCHAIN_DIFFERS', message: expect.stringContaining('mvn 99.0 instead of 3.8.7') }],
    });
  });

  test('when the plan is of an earlier version, then its step is keyed by all tools of the queue, as it was then', async () => {
    const around = await aWorker(await newHome(), tools);
    const steps = both.steps.map(({ uses: _, ...step }) => step) as unknown as Plan['steps'];
    expect(await ran({ ...both, steps }, 'run-0001', around)).toBe('done');
    const parts = await partsIn(
      around.store,
      'run-0001',
      { ...both, steps },
      stepOf({ ...both, steps }, 'jars/hull') as StepOf<'buildJar'>,
    );
    const proof = (await around.store.read<Result>(records.result('run-0001', ON)))!;
    expect(parts!.toolchain).toBe(proof.facts['toolchain']);
  });
});
