/** @needs tools compiler */
import { readPureBuilds } from '../../../src/activities/wheels/pure-builds.js';
import { newHome, runBody } from '../../support/run-body.js';
import { aSource, bodies, handmade, wheelStep } from './fixture.js';

const ENV = { OUT: '{out}' };

/** Builds a wheel with this tag, and returns the records about its sdist. */
async function recordsAfter(tag: string) {
  const home = await newHome();
  const source = await aSource(home, { 'pyproject.toml': '' });
  const run = handmade({ 'skiff/__init__.py': '' }, tag);
  const { around } = await runBody(
    bodies.buildWheel,
    wheelStep({ builder: 'command', run, env: ENV, repair: null, accept: { PLATFORM_TAG_REFUSED: 'for this test' } }),
    {
      home,
      inputs: [source],
    },
  );
  const sdist = source.artifacts[0]!.digest.slice('sha256:'.length);
  const other = 'f'.repeat(64);
  const found = await readPureBuilds(around.store, [sdist, other]);
  expect(found[other]).toEqual([]);
  return found[sdist];
}

test('given an sdist that gives a pure wheel, then the store has its name and recipe by the digest of the sdist', async () => {
  expect(await recordsAfter('py3-none-any')).toEqual([
    { file: 'skiff-1.2-py3-none-any.whl', requires: [], env: ENV, packages: [] },
  ]);
});

test('given a wheel for a platform, then the store has no such record', async () => {
  expect(await recordsAfter('cp312-cp312-linux_x86_64')).toEqual([]);
});
