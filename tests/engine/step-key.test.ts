import { createHash } from 'node:crypto';
import { stepKey, type KeyParts } from '../../src/engine/cache/step-key.js';
import type { Artifact } from '../../src/model/artifact.js';
import type { Hash } from '../../src/model/digest.js';

const hash: Hash = (text) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const digest = (text: string) => hash(text);

const wheel: Artifact = { digest: digest('wheel'), kind: 'wheel', name: 'a.whl', size: 5, labels: { python: 'cp312' } };
const file = (path: string, text = path) => ({ path, digest: digest(text), size: text.length, executable: false });
const parts = (over: Partial<KeyParts> = {}): KeyParts => ({
  kind: 'buildWheel',
  epoch: 1,
  params: { project: 'a', env: { CC: 'gcc', CFLAGS: '-O2' } },
  inputs: [{ step: 'sdists/a', artifacts: [wheel], facts: { epoch: 1 } }],
  files: [file('a'), file('b')],
  toolchain: digest('gcc 12'),
  sourceEpoch: '1700000000',
  ...over,
});
const key = (over: Partial<KeyParts> = {}) => stepKey(parts(over), hash);

test('given the same parts in any order, then the step key is the same', () => {
  expect(key({ params: { env: { CFLAGS: '-O2', CC: 'gcc' }, project: 'a' } })).toBe(key());
  expect(key({ files: [file('b'), file('a')] })).toBe(key());
});

test('given another size with the same digest, then the step key is the same', () => {
  expect(key({ inputs: [{ step: 'sdists/a', artifacts: [{ ...wheel, size: 6 }], facts: { epoch: 1 } }] })).toBe(key());
});

test.each<[string, Partial<KeyParts>]>([
  ['kind', { kind: 'buildJar' }],
  ['epoch', { epoch: 2 }],
  ['epoch of the release file', { raised: 1 }],
  ['params', { params: { project: 'b' } }],
  ['toolchain', { toolchain: digest('gcc 13') }],
  ['no toolchain', { toolchain: null }],
  ['time of the source', { sourceEpoch: '1700000001' }],
  ['file', { files: [file('a'), file('b', 'changed')] }],
  ['mode of a file', { files: [file('a'), { ...file('b'), executable: true }] }],
  [
    'input bytes',
    { inputs: [{ step: 'sdists/a', artifacts: [{ ...wheel, digest: digest('x') }], facts: { epoch: 1 } }] },
  ],
  ['input labels', { inputs: [{ step: 'sdists/a', artifacts: [{ ...wheel, labels: {} }], facts: { epoch: 1 } }] }],
  ['facts', { inputs: [{ step: 'sdists/a', artifacts: [wheel], facts: { epoch: 2 } }] }],
  ['role', { inputs: [{ step: 'sdists/b', artifacts: [wheel], facts: { epoch: 1 } }] }],
])('given another %s, then the step key differs', (_what, over) => {
  expect(key(over)).not.toBe(key());
});
