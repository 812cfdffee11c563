import { fc } from '../../support/fixed-seed.js';
import {
  compareVersions,
  isStable,
  normalForm,
  parseVersion,
  sameVersion,
  type Version,
} from '../../../src/model/python/version.js';
import { INVALID, NORMAL_FORMS, ORDERED, PRE_RELEASES } from './pypa-vectors.js';

const version = (text: string): Version => parseVersion(text)!;

test.each(NORMAL_FORMS)('given %j, then its normal form is %s, and both are equal', (text, normal) => {
  expect(normalForm(version(text))).toBe(normal);
  expect(normalForm(version(normal))).toBe(normal);
  expect(sameVersion(text, normal)).toBe(true);
});

test.each(INVALID)('given %j, then it is not a version', (text) => expect(parseVersion(text)).toBeNull());

test('given two versions of the ordered list, then they compare as their positions do', () => {
  const wrong = ORDERED.flatMap((a, i) =>
    ORDERED.flatMap((b, j) => (compareVersions(version(a), version(b)) === Math.sign(i - j) ? [] : [`${a} ${b}`])),
  );
  expect(wrong).toEqual([]);
});

test.each(PRE_RELEASES)('given %s, then it is a pre-release: %s', (text, pre) =>
  expect(isStable(version(text))).toBe(!pre),
);

test.each([
  ['1.0-1', '1.0.post1'],
  ['1.0rc', '1.0rc0'],
  ['0!1.0', '1.0'],
  ['1.4.0.0.00.000.0000', '1.4'],
  ['2026.01.05', '2026.1.5'],
  ['1.0+cpu-2', '1.0+CPU.02'],
  ['100!0.0', '0100!0'],
  ['nightly', 'nightly'],
])('given %s and %s, then they are the same version', (a, b) => expect(sameVersion(a, b)).toBe(true));

test.each([
  ['1.0-1', '11'],
  ['1.0-1', '1.0.1'],
  ['1.0', '10'],
  ['1.0', '1.0rc0'],
  ['1.0.post1', '1.0.dev1'],
  ['1.0+cpu', '1.0'],
  ['1.10', '1.1'],
  ['1!1.0', '1.0'],
  ['1.0', ''],
  ['1.0', 'nightly'],
  ['9007199254740993', '9007199254740992'],
])('given %s and %s, then they are different versions', (a, b) => expect(sameVersion(a, b)).toBe(false));

const anyVersion = fc
  .record({
    epoch: fc.constantFrom('', '0!', '00!', '1!'),
    release: fc.array(fc.constantFrom('0', '00', '1', '01', '10'), { minLength: 1, maxLength: 4 }),
    pre: fc.constantFrom('', 'a', '-alpha', '.B2', 'c01', 'rc1'),
    post: fc.constantFrom('', '-1', '.post', 'r1', '_rev01'),
    dev: fc.constantFrom('', 'dev', '.DEV01'),
    local: fc.constantFrom('', '+a', '+A.01', '+1-a'),
  })
  .map(({ epoch, release, pre, post, dev, local }) => epoch + release.join('.') + pre + post + dev + local);

test('given any spelling of a version, then its normal form is equal to it and does not change again', () => {
  fc.assert(
    fc.property(anyVersion, (text) => {
      const normal = normalForm(version(text));
      expect(compareVersions(version(text), version(normal))).toBe(0);
      expect(normalForm(version(normal))).toBe(normal);
    }),
  );
});

test('given any three versions, then their order is total', () => {
  fc.assert(
    fc.property(anyVersion, anyVersion, anyVersion, (...texts) => {
      const [a, b, c] = texts.map(version) as [Version, Version, Version];
      expect(compareVersions(a, b) + compareVersions(b, a)).toBe(0);
      if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0)
        expect(compareVersions(a, c)).toBeLessThanOrEqual(0);
    }),
  );
});
