import fc from 'fast-check';
import { newestStable, pointerRule, versionsAmong } from '../../../src/engine/ledger/newest-stable.js';
import { compareVersions, isStable, parseVersion, type Version } from '../../../src/engine/ledger/versions.js';

/** In order, from packaging.python.org/specifications/version-specifiers: every neighbour is smaller than the next. */
const ORDER = [
  '0.9',
  '1.0.dev1',
  '1.0a1.dev1',
  '1.0a1',
  '1.0a1.post1.dev2',
  '1.0a1.post1',
  '1.0a2',
  '1.0b1',
  '1.0rc1',
  '1.0',
  '1.0+abc',
  '1.0+abc.5',
  '1.0+5',
  '1.0.post1.dev1',
  '1.0.post1',
  '1.0.1',
  '1.2',
  '1.10',
  '2.53.1',
  '2.54.0',
  '1!0.1',
];
const version = (text: string): Version => parseVersion(text)!;

test.each(ORDER.slice(1).map((text, index) => [ORDER[index]!, text]))('%s is below %s', (below, above) => {
  expect(compareVersions(version(below), version(above))).toBe(-1);
  expect(compareVersions(version(above), version(below))).toBe(1);
});

test.each([
  ['1.0', '1'],
  ['v1.0.0', '1'],
  ['1.0-rc.1', '1.0rc1'],
  ['1.0alpha', '1.0a0'],
  ['1.0-1', '1.0.post1'],
  ['1.0-SNAPSHOT', '1.0.dev0'],
])('%s and %s are one version', (a, b) => expect(compareVersions(version(a), version(b))).toBe(0));

test.each(['latest', 'sha256-0123', '4.3.2-py311', '', '1..0'])('%p is no version', (text) => {
  expect(parseVersion(text)).toBeNull();
});

test('only finals and their posts are stable', () => {
  expect(ORDER.filter((text) => isStable(version(text)))).toEqual(
    ORDER.filter((text) => !/a|b|rc|dev/.test(text.split('+')[0]!)),
  );
});

test('the order is total whatever the sequence', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(ORDER, { minLength: ORDER.length }), (shuffled) => {
      expect(
        [...shuffled]
          .map(version)
          .sort(compareVersions)
          .map(({ text }) => text),
      ).toEqual(ORDER);
      expect(newestStable(shuffled)).toBe('1!0.1');
    }),
  );
});

test.each([
  { name: 'the first version', version: '1.0', existing: [], moves: true },
  { name: 'the newest', version: '2.54.0', existing: ['2.53.0', 'latest'], moves: true },
  { name: 'a mend of an older line', version: '2.53.1', existing: ['2.54.0'], moves: false },
  { name: 'a pre-release', version: '3.0rc1', existing: ['2.0'], moves: false },
  { name: 'behind a pre-release only', version: '2.0', existing: ['3.0rc1'], moves: true },
  { name: 'the same again', version: '2.0', existing: ['2.0'], moves: true },
  { name: 'no version', version: 'nightly', existing: ['2.0'], moves: false },
])('newest stable: $name', ({ version: own, existing, moves }) => {
  expect(pointerRule(own, existing, 'newest stable').moves).toBe(moves);
  expect(pointerRule(own, existing, 'always').moves).toBe(true);
});

test('tags of our own shape are read as versions', () => {
  const tags = ['2.54.0-py311', '2.54.0-py310', 'latest', '2.53.1-py311', '-py311'];
  expect(versionsAmong(tags, ['2.53.1-py311'], '2.53.1', null)).toEqual(['2.54.0', '2.53.1']);
  expect(versionsAmong(['v1', 'v2', '3'], ['v2'], '2', null)).toEqual(['1', '2']);
  expect(versionsAmong(tags, [], '2.53.1', null)).toEqual(tags);
});

test('tags that hold a commit are those of other commits too', () => {
  const commit = 'abc123def4567890abc123def4567890abc123de';
  const tags = ['2.54.0.0ff1ce', '2.54.0.0ff1ce-py311', '2.55.0', 'nightly.260222.0ff1ce'];
  const of = (own: string) => versionsAmong(tags, [own], '2.53.1', commit);
  expect(of('2.53.1.abc123')).toEqual(['2.54.0', 'nightly.260222']);
  expect(of('2.53.1.abc123-py311')).toEqual(['2.54.0']);
  expect(of(`2.53.1.${commit}`)).toEqual([]);
  expect(pointerRule('2.53.1', of('2.53.1.abc123'), 'newest stable').moves).toBe(false);
});
