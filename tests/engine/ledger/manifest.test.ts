import { fc } from '../../support/fixed-seed.js';
import { drawManifest, twinsAmong } from '../../../src/engine/ledger/manifest.js';
import type { Artifact, ArtifactKind } from '../../../src/model/artifact.js';
import type { Digest } from '../../../src/model/digest.js';
import { canonical } from '../../../src/model/json.js';
import { aPlatform } from '../../support/a-platform.js';
import { aPlan, aResult, aStep } from '../../support/run-body.js';

const digest = (letter: string): Digest => `sha256:${letter.repeat(64)}`;
const anArtifact = (name: string, kind: ArtifactKind, letter: string): Artifact => ({
  name,
  kind,
  digest: digest(letter),
  size: 1,
  labels: {},
});

const wheelParams = {
  run: null,
  env: {},
  folder: '.',
  where: { in: 'host' as const },
  project: 'skiff',
  version: '1.2.3',
  builder: 'uv' as const,
  python: 'cp311',
  for: aPlatform(),
  interpreter: 'cp311',
  everywhere: false,
  cross: null,
  outputs: [],
  repair: null,
  commit: null,
  accept: {},
};
const plan = aPlan({
  steps: [
    aStep('buildWheel', { ...wheelParams, overlay: 'overlay' }, { id: 'wheels/skiff/cp311' }),
    aStep('buildWheel', { ...wheelParams, overlay: null }, { id: 'wheels/skiff/cp312' }),
  ],
  dropped: [{ id: 'tests/gpu', because: 'no gpu queue' }],
});
const results = [
  aResult({ id: 'wheels/skiff/cp311', kind: 'buildWheel' }, { artifacts: [anArtifact('b.whl', 'wheel', 'b')] }),
  aResult({ id: 'wheels/skiff/cp312', kind: 'buildWheel' }, { artifacts: [anArtifact('a.whl', 'wheel', 'a')] }),
  aResult({ id: 'source/source', kind: 'fetchSource' }, { artifacts: [anArtifact('source.tar', 'source', 'c')] }),
  aResult({ id: 'tests/venv', kind: 'runTest' }, { artifacts: [anArtifact('result.json', 'file', 'd')] }),
];
const wants = [...results.map(({ step }) => step), 'tests/gpu', 'tests/late'];

test('given a wheel taken from another pipeline, then it is listed as evidence and not as a product', () => {
  const taken = aResult({ id: 'wheels/raft', kind: 'takeWheel' }, { artifacts: [anArtifact('r.whl', 'wheel', 'e')] });
  const manifest = drawManifest(plan, wants, [...results, taken]);
  expect(manifest.artifacts.map(({ name }) => name)).toEqual(['a.whl', 'b.whl']);
  expect(manifest.evidence.map(({ name }) => name)).toEqual(['result.json', 'r.whl']);
  expect(manifest.notRun.flatMap(({ names }) => names)).not.toContain('r.whl');
});

test('given two artifacts with one name, then different bytes are reported with their steps, and equal bytes are not', () => {
  const made = (letters: string) =>
    drawManifest(
      plan,
      [],
      [...letters].map((letter, at) =>
        aResult(
          { id: `wheels/skiff/cp31${at}`, kind: 'buildWheel' },
          { artifacts: [anArtifact('a.whl', 'wheel', letter)] },
        ),
      ),
    );
  expect(twinsAmong(made('aa'))).toEqual([]);
  expect(twinsAmong(made('ab'))).toEqual([{ name: 'a.whl', steps: ['wheels/skiff/cp310', 'wheels/skiff/cp311'] }]);
});

test('given results, then the manifest lists products, evidence and dropped variants separately', () => {
  const manifest = drawManifest(plan, wants, results);
  expect(manifest.artifacts.map(({ name, notes }) => [name, ...notes])).toEqual([
    ['a.whl'],
    ['b.whl', 'differs from source: overlay overlay'],
  ]);
  expect(manifest.evidence.map(({ name }) => name)).toEqual(['result.json']);
  expect(manifest.dropped).toEqual(plan.dropped);
  expect(manifest.notRun.map(({ names }) => names)).toEqual([['b.whl'], ['a.whl']]);
  expect(manifest.skipped).toEqual([{ id: 'tests/late', because: 'it was left out' }]);
});

test('given results and wants in any order, then the manifest text is the same', () => {
  const text = canonical(drawManifest(plan, wants, results));
  const any = <T>(list: readonly T[]) => fc.shuffledSubarray([...list], { minLength: list.length });
  fc.assert(fc.property(any(wants), any(results), (w, r) => expect(canonical(drawManifest(plan, w, r))).toBe(text)));
});

test('given an index with dropped platforms, then the manifest names them with their reasons', () => {
  const children = [{ step: 'images/skiff/linux-x86_64', platform: 'linux/amd64' }];
  const dropped = [{ platform: 'linux/arm64', because: 'nobody serves the queue linux-aarch64' }];
  const params = { project: 'skiff', version: '1.2.3', children, dropped, tags: [] };
  const index = aStep('assembleIndex', params, { id: 'indexes/skiff' });
  const made = aResult(index, { artifacts: [anArtifact('skiff', 'image', 'e')] });
  expect(drawManifest(aPlan({ steps: [index] }), ['indexes/skiff'], [made]).artifacts).toMatchObject([
    { step: 'indexes/skiff', notes: ['without linux/arm64: nobody serves the queue linux-aarch64'] },
  ]);
});
