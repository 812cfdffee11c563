/** @needs tools */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { toolsBin } from '../../../src/adapters/home.js';
import { isAdmitted, parseSpecifiers } from '../../../src/model/python/specifier.js';
import { parseVersion } from '../../../src/model/python/version.js';
import { fc } from '../../support/fixed-seed.js';

/** Answers each pair of specifiers and version as `packaging` does; null: the specifiers are invalid. */
const SCRIPT = `
import json, sys
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import Version
def answer(specifiers, version):
    try:
        return SpecifierSet(specifiers).contains(Version(version), prereleases=True)
    except InvalidSpecifier:
        return None
print(json.dumps([answer(*pair) for pair in json.load(sys.stdin)]))
`;

type Pair = readonly [specifiers: string, version: string];

const theirs = (pairs: readonly Pair[]): readonly (boolean | null)[] =>
  JSON.parse(
    execFileSync(join(toolsBin(), 'python'), ['-c', SCRIPT], { input: JSON.stringify(pairs), encoding: 'utf8' }),
  ) as readonly (boolean | null)[];

function ours([specifiers, version]: Pair): boolean | null {
  const parsed = parseSpecifiers(specifiers);
  return parsed && isAdmitted(parseVersion(version)!, parsed);
}

const differing = (pairs: readonly Pair[]): readonly (readonly unknown[])[] => {
  const answers = theirs(pairs);
  return pairs.flatMap((pair, at) => (ours(pair) === answers[at] ? [] : [[...pair, { ours: ours(pair) }]]));
};

const number = fc.integer({ min: 0, max: 2 });
const release = fc.array(number, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'));
const part = (form: (count: number) => string) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 1, arbitrary: number.map(form) });
const version = fc
  .tuple(
    part((epoch) => `${epoch}!`),
    release,
    part((count) => `rc${count}`),
    part((count) => `.post${count}`),
    part((count) => `.dev${count}`),
  )
  .map((parts) => parts.join(''));
const local = fc
  .tuple(
    version,
    part((count) => `+deb.${count}`),
  )
  .map((parts) => parts.join(''));
const clause = fc
  .oneof(
    fc.tuple(fc.constantFrom('==', '!=', '~=', '<', '<=', '>', '>='), version),
    fc.tuple(fc.constantFrom('==', '!=', '==='), local),
    fc.tuple(fc.constantFrom('==', '!=', '>='), release, fc.constant('.*')),
  )
  .map((parts) => parts.join(''));
const pair = fc.tuple(
  fc.array(clause, { maxLength: 3 }).map((clauses) => clauses.join(',')),
  local,
);

test('given any specifiers and any version, the answer is that of packaging', () => {
  expect(differing(fc.sample(pair, { numRuns: 20_000, seed: 20_261_122 }))).toEqual([]);
});

test.each([
  ['>=3.5.*', null],
  ['~=3', null],
  ['>=3.6,', true],
  ['>= 3.6, !=3.7.*', true],
  ['>3.6+local', null],
  ['3.6', null],
  ['=>3.6', null],
  ['', true],
  ['>=3.6;<4', null],
])('given the specifiers %j and 3.11.2, the answer is %j, as of packaging', (specifiers, answer) => {
  expect(ours([specifiers, '3.11.2'])).toBe(answer);
  expect(differing([[specifiers, '3.11.2']])).toEqual([]);
});
