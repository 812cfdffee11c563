import fc from 'fast-check';
import { judgeWheels, type PruneFacts } from '../../../../src/engine/index/prune/judge.js';
import { reviewOf, secondLook, staleness } from '../../../../src/engine/index/prune/review.js';
import { mergedUse, readUse } from '../../../../src/engine/index/prune/use.js';
import { MOST_CANDIDATES, REVIEW_HOLDS_MS } from '../../../../src/model/index-prune.js';
import { NO_USE, useKey, type IndexUse } from '../../../../src/model/index-use.js';
import { digest } from '../an-entry.js';
import { ago, DAY_MS, facts, indexed, NOW, NOW_MS, PLATFORM, want, wheelFile } from './a-prune.js';

const ABOUT = { pipeline: 'distro-wheels', profile: 'local', target: 'cache', at: NOW, rules: facts().rules };
const versions = ['1.0', '2.0', '3.0'];
const wheels = versions.map((version) => indexed(wheelFile(version)));
const review = reviewOf(ABOUT, judgeWheels(facts({ wheels })));
const later = (more: Partial<PruneFacts>) =>
  secondLook(review, judgeWheels(facts({ wheels, nowMs: NOW_MS + 60_000, ...more })));
const key = (version: string): string => useKey(PLATFORM, wheelFile(version));
const files = (all: readonly { readonly file: string }[]): readonly string[] => all.map(({ file }) => file);

describe('given a review of three wheels', () => {
  test('when nothing changed, then all three are removed', () => {
    expect(later({})).toMatchObject({ stay: [], unreviewed: [] });
    expect(files(later({}).remove)).toEqual(versions.map((version) => wheelFile(version)));
  });

  test('when one was fetched after it, then that one stays and is named', () => {
    const use = { ...facts().use, fetched: { [key('2.0')]: new Date(NOW_MS + 1000).toISOString() } };
    const { remove, stay } = later({ use });
    expect(files(remove)).toEqual([wheelFile('1.0'), wheelFile('3.0')]);
    expect(stay).toEqual([{ file: key('2.0'), because: 'it was fetched lately' }]);
  });

  test('when a list asks for one again, then that one stays', () => {
    expect(later({ wants: [want('here', { version: '3.0' })] }).stay).toEqual([
      { file: key('3.0'), because: 'a list asks for it' },
    ]);
  });

  test('when one has other bytes now, then it stays', () => {
    const changed = [...wheels.slice(1), indexed(wheelFile('1.0'), { digest: digest('e') })];
    expect(later({ wheels: changed }).stay).toEqual([
      { file: key('1.0'), because: 'the index has other bytes under its name' },
    ]);
  });

  test('when one was removed meanwhile, then it is told', () => {
    expect(later({ wheels: wheels.slice(1) }).stay).toEqual([
      { file: key('1.0'), because: 'the index does not list it any more' },
    ]);
  });

  test('when a fourth wheel is not needed either, then it is left to a new review', () => {
    const { remove, unreviewed } = later({ wheels: [...wheels, indexed(wheelFile('4.0'))] });
    expect([files(remove).length, files(unreviewed)]).toEqual([3, [wheelFile('4.0')]]);
  });
});

test('given a wheel of an ended platform, when it was fetched in the second of the review, then it stays', () => {
  const ended = { [PLATFORM]: { arch: 'x86_64', glibc: '2.36', until: '2026-01-01' } };
  const at = { platforms: ended, wheels: wheels.slice(0, 1) };
  const before = reviewOf({ ...ABOUT, at: '2026-11-23T03:00:00.700Z' }, judgeWheels(facts(at)));
  const use = { ...facts().use, fetched: { [key('1.0')]: '2026-11-23T03:00:00.000Z' } };
  expect(secondLook(before, judgeWheels(facts({ ...at, use }))).remove).toEqual([]);
});

test.each([
  ['the same index and keys', {}, null],
  ['another target', { target: 'other' }, 'it is of the target cache, not other'],
  ['another profile', { profile: 'live' }, 'it is of the profile local, not live'],
  ['other keys', { rules: { ...ABOUT.rules, graceMs: 0 } }, 'the keys of `prune` were changed since'],
  ['a day after it', { at: new Date(NOW_MS + DAY_MS).toISOString() }, null],
  [
    'eight days after it',
    { at: new Date(NOW_MS + REVIEW_HOLDS_MS + 1000).toISOString() },
    `it was made at ${NOW}, more than 7 days ago`,
  ],
])('given a review, when it is applied with %s, then the answer is fixed', (_, more, expected) => {
  expect(staleness(review, { ...ABOUT, ...more })).toBe(expected);
});

test('given more candidates than a review takes, when it is made, then the rest is counted', () => {
  const many = Array.from({ length: MOST_CANDIDATES + 5 }, (_, at) => indexed(wheelFile(`1.${at}`)));
  const made = reviewOf(ABOUT, judgeWheels(facts({ wheels: many })));
  expect([made.candidates.length, made.more]).toEqual([MOST_CANDIDATES, 5]);
});

const SEED = { seed: 20261123, numRuns: 300 };
const times = fc.integer({ min: 0, max: 300 });
const anyUse: fc.Arbitrary<IndexUse> = fc.record({
  slipway: fc.constant(1 as const),
  read: fc.array(
    fc.tuple(times, times).map(([a, b]) => ({ from: ago(Math.max(a, b)), to: ago(Math.min(a, b)) })),
    { maxLength: 3 },
  ),
  fetched: fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), times.map(ago)),
});

describe('given records of access logs', () => {
  test('when they are merged, then order and repetition change nothing', () => {
    fc.assert(
      fc.property(fc.array(anyUse, { maxLength: 4 }), (all) => {
        expect(mergedUse([...all].reverse())).toEqual(mergedUse(all));
        expect(mergedUse([mergedUse(all), ...all])).toEqual(mergedUse(all));
      }),
      SEED,
    );
  });

  test('when a record is damaged in any way, then it is read without it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(mergedUse([readUse(value)]).slipway).toBe(1);
      }),
      SEED,
    );
    expect(readUse({ read: [{ from: 'x', to: ago(0) }], fetched: { a: 5 } })).toEqual(NO_USE);
  });
});
