/** @needs python */
import { sourceArtifactOf } from '../../../src/activities/source/tree.js';
import type { Artifact, ArtifactKind } from '../../../src/model/artifact.js';
import type { Step } from '../../../src/model/plan.js';
import { aPlan, aResult, aStep, newHome, runBody, sha256 } from '../../support/run-body.js';
import { aSource, bodies, wheelStep } from '../wheels/fixture.js';

const artifact = (kind: ArtifactKind, bytes: string): Artifact => ({
  ...{ kind, name: 'a-1.0.tar.gz', digest: sha256(bytes), size: 1, labels: {} },
});
const fetched = (id: string, bytes: string, kind: ArtifactKind = 'sdist') =>
  aResult({ id, kind: 'fetchSource' }, { artifacts: [artifact(kind, bytes)] });
const fetch = (id: string) =>
  aStep('fetchSource', { source: { kind: 'git', commit: 'c' } }, { id, stage: 'source' }) as unknown as Step;
const plan = aPlan({ steps: [fetch('source/skiff'), fetch('source/hull'), fetch('source/keel')] });
const stepOf = (source?: string) => aStep('takeSdist', { project: 'a' }, source === undefined ? {} : { source });

const MAIN = fetched('source/skiff', 'skiff', 'source');
const HULL = fetched('source/hull', 'hull');
const KEEL = fetched('source/keel', 'keel');

test.each([
  ['its own among two of one name', 'source/keel', [HULL, KEEL], 'keel'],
  ['its own, before the commit of the release', 'source/hull', [MAIN, HULL], 'hull'],
  ['that of the file, though a named one is needed too', undefined, [HULL, MAIN], 'skiff'],
  [
    'the sdist that was made of its own',
    'source/hull',
    [aResult({ id: 'sdists/hull', kind: 'buildSdist' }, { artifacts: [artifact('sdist', 'made')] })],
    'made',
  ],
  ['none, where only others are needed', undefined, [HULL], null],
])('the tree of a step is %s', (_, source, inputs, bytes) => {
  expect(sourceArtifactOf({ plan, step: stepOf(source), inputs })?.digest ?? null).toBe(
    bytes === null ? null : sha256(bytes),
  );
});

test('given a tree without pyproject.toml and setup.py, then no backend is started', async () => {
  const home = await newHome();
  const inputs = [await aSource(home, { 'README.md': 'a boat' })];
  await expect(runBody(bodies.buildWheel, wheelStep(), { home, inputs })).rejects.toMatchObject({
    first: { code: 'NO_BUILD_SYSTEM', class: 'product', message: expect.stringContaining('skiff-1.2.tar.gz') },
  });
});
