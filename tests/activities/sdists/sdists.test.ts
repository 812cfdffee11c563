/** @needs tools */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { aResult, aStep, newHome, runBody } from '../../support/run-body.js';
import { aSource, bodies, C_PROJECT, EPOCH, HOST } from '../wheels/fixture.js';

const step = aStep('buildSdist', { ...HOST, run: null, project: 'skiff', builder: 'uv', outputs: [] });
const build = async (version?: string) => {
  const home = await newHome();
  const wanted = version === undefined ? step : { ...step, params: { ...step.params, version } };
  return runBody(bodies.buildSdist, wanted, { home, inputs: [await aSource(home, C_PROJECT)], epoch: EPOCH });
};

test("given a source, then its sdist has the same bytes each time, with the source's time and no user name", async () => {
  const [one, two] = [await build(), await build()];
  expect(one.made.artifacts).toEqual(two.made.artifacts);
  expect(one.made.artifacts).toMatchObject([{ kind: 'sdist', name: 'skiff-1.2.tar.gz', labels: { project: 'skiff' } }]);
  const tar = join(one.home, 'skiff.tar.gz');
  await one.around.store.fetch(one.made.artifacts[0]!.digest, tar);
  const listed = execFileSync('tar', ['--utc', '--numeric-owner', '-tvzf', tar], { encoding: 'utf8' });
  expect(listed).toMatch(/0\/0 +\d+ 2023-11-14 22:13 skiff-1\.2\/PKG-INFO/);
});

test("given the source's own sdist, then it is taken unchanged", async () => {
  const home = await newHome();
  const source = await aSource(home, C_PROJECT);
  const { made } = await runBody(bodies.takeSdist, aStep('takeSdist', { project: 'skiff', version: null }), {
    home,
    inputs: [source],
  });
  expect(made.artifacts).toMatchObject([{ digest: source.artifacts[0]!.digest, labels: { project: 'skiff' } }]);
});

test('given a commit as source, then there is no sdist to take', async () => {
  const inputs = [aResult({ id: 'source', kind: 'fetchSource' })];
  const taking = runBody(bodies.takeSdist, aStep('takeSdist', { project: 'skiff' }), { inputs });
  await expect(taking).rejects.toMatchObject({ first: { code: 'SDIST_NOT_IN_SOURCE' } });
});

test('given a source of another version, then its sdist is refused before any wheel is built', async () => {
  await expect(build('1.3')).rejects.toMatchObject({ first: { code: 'VERSION_DIFFERS' } });
  expect((await build('1.2.0')).made.artifacts).toHaveLength(1);
});

test("given the source's own sdist of another version, then it is refused", async () => {
  const home = await newHome();
  const taking = aStep('takeSdist', { project: 'skiff', version: '1.3' });
  const taken = runBody(bodies.takeSdist, taking, { home, inputs: [await aSource(home, C_PROJECT)] });
  await expect(taken).rejects.toMatchObject({
    first: { code: 'VERSION_DIFFERS', message: expect.stringContaining('skiff-1.2.tar.gz is version 1.2') },
  });
});
