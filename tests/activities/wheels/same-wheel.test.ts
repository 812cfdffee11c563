/** @needs tools compiler */
import { sameWheel } from '../../../src/activities/wheels/same-wheel.js';
import { aPlatform } from '../../support/a-platform.js';
import { aResult, anArtifact, newHome, runBody } from '../../support/run-body.js';
import { aSource, bodies, handmade, wheelStep } from './fixture.js';

const FIRST = 'wheels/skiff/cp311/debian-12';
const params = {
  sameAs: FIRST,
  python: 'cp313',
  for: { ...aPlatform(), libc: { name: 'glibc' as const, floor: '2.36' } },
};

/** The result of the first variant, with a wheel of this name. */
async function theirs(home: string, name: string) {
  return aResult(
    { id: FIRST, kind: 'buildWheel' },
    {
      artifacts: [
        await anArtifact(home, name, 'bytes', { kind: 'wheel', labels: { python: 'cp311', project: 'skiff' } }),
      ],
    },
  );
}

test.each([
  ['a pure wheel', 'skiff-1.2-py3-none-any.whl', true],
  ['a wheel of the stable ABI for an older C library', 'skiff-1.2-cp39-abi3-manylinux_2_28_x86_64.whl', true],
  ['a wheel of the stable ABI for a newer C library', 'skiff-1.2-cp39-abi3-manylinux_2_39_x86_64.whl', false],
  ['a wheel of the stable ABI that states no C library', 'skiff-1.2-cp39-abi3-linux_x86_64.whl', false],
  ['a wheel of one Python', 'skiff-1.2-cp311-cp311-manylinux_2_28_x86_64.whl', false],
  ['a wheel of another machine', 'skiff-1.2-cp39-abi3-manylinux_2_28_aarch64.whl', false],
])('given %s of the first variant, then another one takes it: %#', async (_, name, isTaken) => {
  const home = await newHome();
  const inputs = [await theirs(home, name)];
  expect(sameWheel({ step: wheelStep(params), inputs })?.name ?? null).toBe(isTaken ? name : null);
});

test('given no result of the first variant, then another one builds', () => {
  expect(sameWheel({ step: wheelStep(params), inputs: [] })).toBeNull();
});

test('given a pure wheel of the first variant, then another one has the same bytes, and nothing is built', async () => {
  const home = await newHome();
  const hand = { builder: 'command', run: handmade({ 'skiff/__init__.py': '' }), env: { OUT: '{out}' } } as const;
  const source = await aSource(home, { 'pyproject.toml': '' });
  const first = await runBody(bodies.buildWheel, wheelStep(hand), { home, inputs: [source] });
  const step = wheelStep({ ...params, sameAs: first.result.step, builder: 'command', run: 'exit 3' });
  const { made } = await runBody(bodies.buildWheel, step, { home, inputs: [source, first.result] });
  const [theirs] = first.made.artifacts;
  expect(made.artifacts).toMatchObject([{ digest: theirs!.digest, labels: { python: 'cp313', project: 'skiff' } }]);
});
