import { fc } from '../../support/fixed-seed.js';
import { newestStable, pointerRule, readVersion, versionsAmong } from '../../../src/engine/ledger/newest-stable.js';
import { compareVersions } from '../../../src/model/python/version.js';

test.each([
  ['1.0-SNAPSHOT', '1.0.dev0'],
  ['1.0.0-M2', '1.0b2'],
  ['1.0-milestone-3', '1.0b3'],
  ['1.0.CR1', '1.0rc1'],
  ['1.0-M1-SNAPSHOT', '1.0b1.dev0'],
  ['1.0-rc.1', '1.0rc1'],
  ['1.0+5m', '1.0+5m'],
])('given the tag %s, then it equals version %s', (tag, version) => {
  expect(compareVersions(readVersion(tag)!, readVersion(version)!)).toBe(0);
  expect(readVersion(tag)!.text).toBe(tag);
});

test.each(['latest', 'sha256-0123', '4.3.2-py311', '', '1..0', '1.0-macos'])(
  'given the tag %j, then it is not a version',
  (tag) => {
    expect(readVersion(tag)).toBeNull();
  },
);

test('given tags in any order, then the highest stable version is found', () => {
  const tags = ['latest', '2.53.1', '2.54.0', '3.0rc1', '3.0-SNAPSHOT', '2.54.0.dev1', '0.9'];
  fc.assert(
    fc.property(fc.shuffledSubarray(tags, { minLength: tags.length }), (shuffled) => {
      expect(newestStable(shuffled)).toBe('2.54.0');
    }),
  );
  expect(newestStable([...tags, '1!0.1'])).toBe('1!0.1');
  expect(newestStable(['latest', '3.0rc1'])).toBeNull();
});

test.each([
  { name: 'the first version', version: '1.0', existing: [], moves: true },
  { name: 'the newest', version: '2.54.0', existing: ['2.53.0', 'latest'], moves: true },
  { name: 'a mend of an older line', version: '2.53.1', existing: ['2.54.0'], moves: false },
  { name: 'a pre-release', version: '3.0rc1', existing: ['2.0'], moves: false },
  { name: 'behind a pre-release only', version: '2.0', existing: ['3.0rc1'], moves: true },
  { name: 'the same again', version: '2.0', existing: ['2.0'], moves: true },
  { name: 'no version', version: 'nightly', existing: ['2.0'], moves: false },
])(
  'given %s as the version, then the rule newest stable moves the pointer or keeps it',
  ({ version: own, existing, moves }) => {
    expect(pointerRule(own, existing, 'newest stable').moves).toBe(moves);
    expect(pointerRule(own, existing, 'always').moves).toBe(true);
  },
);

test('given tags of our own shape, then their versions are read', () => {
  const tags = ['2.54.0-py311', '2.54.0-py310', 'latest', '2.53.1-py311', '-py311'];
  expect(versionsAmong(tags, ['2.53.1-py311'], '2.53.1', null)).toEqual(['2.54.0', '2.53.1']);
  expect(versionsAmong(['v1', 'v2', '3'], ['v2'], '2', null)).toEqual(['1', '2']);
  expect(versionsAmong(tags, [], '2.53.1', null)).toEqual(tags);
});

test('given tags that contain commits, then tags of other commits are read too', () => {
  const commit = 'abc123def4567890abc123def4567890abc123de';
  const tags = ['2.54.0.0ff1ce', '2.54.0.0ff1ce-py311', '2.55.0', 'nightly.260222.0ff1ce'];
  const of = (own: string) => versionsAmong(tags, [own], '2.53.1', commit);
  expect(of('2.53.1.abc123')).toEqual(['2.54.0', 'nightly.260222']);
  expect(of('2.53.1.abc123-py311')).toEqual(['2.54.0']);
  expect(of(`2.53.1.${commit}`)).toEqual([]);
  expect(pointerRule('2.53.1', of('2.53.1.abc123'), 'newest stable').moves).toBe(false);
});
