import { stepKey, type KeyParts } from '../../src/engine/cache/step-key.js';
import { changedFields } from '../../src/engine/why/changed.js';
import { provenBy } from '../../src/engine/why/made.js';
import type { Artifact } from '../../src/model/artifact.js';
import { sha256 } from '../support/run-body.js';

const wheel = (name: string, of: string, labels: Record<string, string> = {}): Artifact => ({
  ...{ name, labels, digest: sha256(of), kind: 'wheel', size: 1 },
});
const parts = (over: Partial<KeyParts> = {}): KeyParts => ({
  kind: 'buildWheel',
  epoch: 2,
  params: { env: { CC: 'gcc' }, list: ['a', 'b'] },
  inputs: [{ step: 'sdists/a', artifacts: [wheel('a.whl', 'one')], facts: { deep: { er: 1 } } }],
  files: [{ path: 'ci/build.sh', digest: sha256('x'), size: 1, executable: false }],
  toolchain: sha256('gcc 12'),
  sourceEpoch: '1',
  ...over,
});
const input = (artifacts: readonly Artifact[], facts = { deep: { er: 1 } }) => [{ step: 'sdists/a', artifacts, facts }];

test.each<[string, Partial<KeyParts>, readonly string[]]>([
  ['nothing', {}, []],
  ['a parameter', { params: { env: { CC: 'clang' }, list: ['a', 'b'] } }, ['params.env.CC gcc clang']],
  ['a removed parameter', { params: { list: ['a', 'b'] } }, ['params.env.CC gcc null']],
  ['a longer list', { params: { env: { CC: 'gcc' }, list: ['a', 'b', 'c'] } }, ['params.list[2] null c']],
  ['the toolchain', { toolchain: null }, ['toolchain sha256:']],
  ['the time of the source', { sourceEpoch: '2' }, ['sourceEpoch 1 2']],
  ['the epoch of its kind', { epoch: 3 }, ['epoch 2 3']],
  ['bytes of an input', { inputs: input([wheel('a.whl', 'two')]) }, ['inputs.sdists/a.artifacts.a.whl.digest']],
  [
    'a label of an input',
    { inputs: input([wheel('a.whl', 'one', { python: 'cp312' })]) },
    ['inputs.sdists/a.artifacts.a.whl.labels.python null cp312'],
  ],
  [
    'a fact of an input',
    { inputs: input([wheel('a.whl', 'one')], { deep: { er: 2 } }) },
    ['inputs.sdists/a.facts.deep.er 1 2'],
  ],
  [
    'a second input with the same name',
    { inputs: input([wheel('a.whl', 'one'), wheel('a.whl', 'two')]) },
    ['inputs.sdists/a.artifacts.a.whl#2.digest null', 'inputs.sdists/a.artifacts.a.whl#2.kind null'],
  ],
  [
    'the mode of a file',
    { files: [{ path: 'ci/build.sh', digest: sha256('x'), size: 1, executable: true }] },
    ['files.ci/build.sh'],
  ],
])('given a change of %s, then the changed fields are named', (_, over, expected) => {
  const found = changedFields(parts(), parts(over)).map(({ field, before, after }) => `${field} ${before} ${after}`);
  expect(found).toHaveLength(expected.length);
  expected.forEach((start, index) => expect(found[index]).toContain(start));
  // Whatever changes the key is a field that is told, and nothing else is.
  expect(found.length > 0).toBe(stepKey(parts(over), sha256) !== stepKey(parts(), sha256));
});

test('given inputs in another order, then that is a change, because activities see the order', () => {
  const [one, two] = [
    { ...parts().inputs[0]!, step: 'a' },
    { ...parts().inputs[0]!, step: 'b' },
  ];
  const changed = changedFields(parts({ inputs: [one, two] }), parts({ inputs: [two, one] }));
  expect(changed).toEqual([{ field: 'inputs', before: 'a, b', after: 'b, a' }]);
});

test('given key parts, then they are trusted only if they give the key, with the current or an older epoch', () => {
  const older = stepKey(parts({ epoch: 1 }), sha256);
  expect(provenBy(parts(), older, sha256)).toEqual(parts({ epoch: 1 }));
  expect(provenBy(parts({ sourceEpoch: '9' }), older, sha256)).toBeNull();
  expect(provenBy(null, older, sha256)).toBeNull();
});
