import { SlipwayFailure } from '../../src/model/failure.js';
import { fileName, nameFault } from '../../src/model/file-name.js';
import { layoutPath } from '../../src/model/layout.js';
import { resultFault } from '../../src/model/result-fault.js';
import { aResult } from '../support/run-body.js';

const wheel = {
  kind: 'wheel',
  size: 1,
  digest: `sha256:${'a'.repeat(64)}`,
  labels: {},
  name: 'a-1.0-py3-none-any.whl',
};
const result = (more: object = {}): unknown => ({
  ...aResult({ id: 'wheels/a', kind: 'buildWheel' }),
  artifacts: [{ ...wheel, ...more }],
});

test.each(['a-1.0.whl', 'manifest.json', 'SHA256SUMS', '.pom', 'ä b (1).txt', 'a..b', 'console.log', '日本.tar.gz'])(
  'given the name %j, then it is accepted as a file name',
  (name) => {
    expect(nameFault(name)).toBeNull();
    expect(fileName(name)).toBe(name);
  },
);

test.each([
  ['', 'is empty'],
  ['..', 'leads to another folder'],
  ['../../.bashrc', 'leads to another folder'],
  ['/etc/passwd', 'leads to another folder'],
  ['a\\..\\b', 'leads to another folder'],
  ['-rf', 'begins like an option'],
  ['a\u001b[31m.whl', 'control or hide text'],
  ['a\nb', 'control or hide text'],
  ['a\u202egpj.exe', 'control or hide text'],
  ['a\u200bb', 'control or hide text'],
  ['a\ud800', 'control or hide text'],
  ['NUL.txt', 'is the name of a device'],
  ['a.', 'ends with a dot'],
  ['é'.repeat(200), 'is longer than 255 bytes'],
])('given the name %j, then it is refused as a file name: it %s', (name, because) => {
  expect(nameFault(name)).toContain(because);
  expect(() => fileName(name)).toThrow(SlipwayFailure);
});

test.each<[what: string, value: unknown]>([
  ['a wheel', result()],
  ['an image in a folder', result({ kind: 'image', name: 'ray/serve' })],
  ['nothing at all', { ...aResult({ id: 'steps/a', kind: 'runCommand' }) }],
])('given a result with %s, then it is accepted', (_, value) => {
  expect(resultFault(value)).toBeNull();
});

test.each<[what: string, value: unknown, because: string]>([
  ['no object', 'text', 'is no object'],
  [
    'a name that leads to another folder',
    result({ name: '../../evil' }),
    'artifacts[0].name "../../evil" leads to another folder',
  ],
  ['an image name that leads to another folder', result({ kind: 'image', name: 'a/../b' }), 'leads to another folder'],
  [
    'a label that leads to another folder',
    result({ labels: { platform: '../..' } }),
    '.labels.platform leads to another folder',
  ],
  ['a digest that is a path', result({ digest: 'sha256:../../x' }), '.digest is no SHA-256 digest'],
  ['a size below zero', result({ size: -1 }), '.size is no whole number'],
  ['half a byte', result({ size: 0.5 }), '.size is no whole number'],
  ['another kind', result({ kind: 'virus' }), '.kind is none of'],
  ['facts without end', { ...(result() as object), facts: { a: Array(300_000).fill(1) } }, 'facts holds too much'],
])('given a result with %s, then it is refused', (_, value, because) => {
  expect(resultFault(value)).toContain(because);
});

test('given a platform label that leads to another folder, then a JAR has no path in the layout', () => {
  const source = { kind: 'git', commit: 'c'.repeat(40), branch: null } as never;
  const jar = { ...wheel, kind: 'jar', name: 'a.jar', labels: { platform: '../..' } } as never;
  expect(() => layoutPath({ source }, jar)).toThrow(/ARTIFACT_NAME_REFUSED/);
});
