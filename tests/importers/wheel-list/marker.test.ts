/** @needs tools */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { toolsBin } from '../../../src/adapters/home.js';
import { isTrue, type MarkerEnvironment, parseMarker } from '../../../src/importers/wheel-list/marker.js';
import { fc } from '../../support/fixed-seed.js';

const SCRIPT = `
import json, sys
from packaging.markers import InvalidMarker, Marker
def answer(text, environment):
    try:
        return Marker(text).evaluate(environment)
    except InvalidMarker:
        return None
asked = json.load(sys.stdin)
print(json.dumps([answer(text, asked['environment']) for text in asked['markers']]))
`;

const CP311: MarkerEnvironment = {
  ...{ python_version: '3.11', python_full_version: '3.11.2', implementation_version: '3.11.2', extra: '' },
  ...{ implementation_name: 'cpython', platform_python_implementation: 'CPython', platform_machine: 'x86_64' },
  ...{ os_name: 'posix', sys_platform: 'linux', platform_system: 'Linux', platform_release: '', platform_version: '' },
};

const theirs = (markers: readonly string[]): readonly (boolean | null)[] =>
  JSON.parse(
    execFileSync(join(toolsBin(), 'python'), ['-c', SCRIPT], {
      input: JSON.stringify({ markers, environment: CP311 }),
      encoding: 'utf8',
    }),
  ) as readonly (boolean | null)[];

function ours(text: string): boolean | null {
  const marker = parseMarker(text);
  return typeof marker === 'string' ? null : isTrue(marker, CP311);
}

const differing = (markers: readonly string[]): readonly unknown[] => {
  const answers = theirs(markers);
  return markers.flatMap((text, at) => (ours(text) === answers[at] ? [] : [{ text, ours: ours(text) }]));
};

const versions = fc.constantFrom(
  '2.7',
  '3',
  '3.1',
  '3.9',
  '3.10',
  '3.11',
  '3.11.0',
  '3.11.2',
  '3.12',
  '4',
  '3.*',
  '3.11.*',
  'x',
);
const words = fc.constantFrom(
  'linux',
  'linux2',
  'win32',
  'Linux',
  'cpython',
  'CPython',
  'x86_64',
  'posix',
  'Test_Extra',
  '',
);
const order = fc.constantFrom('==', '!=', '<', '<=', '>', '>=', 'in', 'not in');
const about = (variables: readonly string[], texts: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.constantFrom(...variables), order, texts, fc.boolean(), fc.constantFrom('"', "'"))
    .map(([variable, op, text, isLeft, quote]) => {
      const written = `${quote}${text}${quote}`;
      return isLeft ? `${variable} ${op} ${written}` : `${written} ${op} ${variable}`;
    });
const comparison = fc.oneof(
  about(['python_version', 'python_full_version', 'implementation_version'], versions),
  about(['sys_platform', 'os.name', 'platform_machine', 'python_implementation', 'platform_system'], words),
);
const { marker } = fc.letrec<{ marker: string }>((tie) => ({
  marker: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    comparison,
    fc.tuple(tie('marker'), fc.constantFrom('and', 'or'), tie('marker')).map((parts) => parts.join(' ')),
    tie('marker').map((inner) => `(${inner})`),
  ),
}));

test('given any marker, the answer is that of packaging', () => {
  expect(differing(fc.sample(marker, { numRuns: 8_000, seed: 20_261_122 }))).toEqual([]);
});

test.each([
  "python_version=='3.11'",
  "python_version<='3.10' and sys_platform!='win32' or(os_name=='posix')",
  "python_version ~= '3.8'",
  "python_full_version === '3.11.2'",
  "extra == 'tests'",
])('given %s, the answer is that of packaging', (text) => {
  expect(ours(text)).not.toBeNull();
  expect(differing([text])).toEqual([]);
});

test.each([
  ['', 'the end is in place of a variable'],
  ['nonsense', '"nonsense" is no variable'],
  ["python_version => '3'", 'is no part of a marker'],
  ["python_version >= '3' and", 'the end is in place of a variable'],
  ["(python_version >= '3'", 'the end is in place of ")"'],
  ["python_version >= '3' os_name", '"os_name" follows a whole marker'],
  ["python_version not '3'", '"not" is in place of an operator'],
  ["'3' == '3'", 'compares a variable with a quoted text'],
  ['('.repeat(60), 'more than 50 brackets'],
  [`os_name == '${'x'.repeat(5_000)}'`, 'characters, and 4000 are allowed'],
  ["sys_platform ~= 'linux'", '~= compares versions alone'],
])('given a marker that is none, it is refused (row %#)', (text, why) => {
  const refused = parseMarker(text);
  expect(refused).toEqual(expect.stringContaining(why));
});
