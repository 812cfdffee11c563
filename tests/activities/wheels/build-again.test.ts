/** @needs tools compiler */
import type { ListedWheel } from '../../../src/model/wheel-params.js';
import type { Artifact } from '../../../src/model/artifact.js';
import { newHome, runBody } from '../../support/run-body.js';
import { aSource, bodies, handmade, wheelStep } from './fixture.js';

const NAME = 'skiff-1.2-cp312-cp312-linux_x86_64.whl';
const PROJECT = { 'pyproject.toml': '[project]\nname = "skiff"\n' };

/** Builds a wheel whose module has this text. */
async function built(home: string, text: string, again?: ListedWheel): Promise<Artifact> {
  const run = handmade({ 'skiff/__init__.py': text }, 'cp312-cp312-linux_x86_64').replace(
    'writestr(name,',
    'writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)),',
  );
  const step = wheelStep({
    ...{ builder: 'command', run, env: { OUT: '{out}' }, repair: null, ...(again && { again }) },
    accept: { PLATFORM_TAG_REFUSED: 'for this distribution' },
  });
  const { made } = await runBody(bodies.buildWheel, step, { home, inputs: [await aSource(home, PROJECT)] });
  return made.artifacts[0]!;
}

test('given the bytes of the listed wheel, when it is built again, then it is that wheel', async () => {
  const home = await newHome();
  const first = await built(home, 'mast = 1\n');
  expect(first.name).toBe(NAME);
  const again = await built(home, 'mast = 1\n', { file: NAME, digest: first.digest, build: 1 });
  expect(again).toMatchObject({ name: NAME, digest: first.digest });
});

test('given other bytes, when it is built again, then it has the build number in name, WHEEL and RECORD', async () => {
  const home = await newHome();
  const first = await built(home, 'mast = 1\n');
  const second = await built(home, 'mast = 2\n', { file: NAME, digest: first.digest, build: 1 });
  const name = 'skiff-1.2-1-cp312-cp312-linux_x86_64.whl';
  expect(second.name).toBe(name);
  // The same build under its own number is that wheel, and other bytes get the next number.
  const third = await built(home, 'mast = 2\n', { file: name, digest: second.digest, build: 2 });
  expect(third).toMatchObject({ name, digest: second.digest });
  const fourth = await built(home, 'mast = 3\n', { file: name, digest: second.digest, build: 2 });
  expect(fourth.name).toBe('skiff-1.2-2-cp312-cp312-linux_x86_64.whl');
});
