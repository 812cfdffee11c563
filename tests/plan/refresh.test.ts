import { plan } from '../../src/plan/plan.js';
import { readReleaseFile } from '../../src/plan/read/release-file.js';
import type { Plan } from '../../src/model/plan.js';
import { problemsOf, someFacts, stepOf } from './a-plan.js';

const file = (base: string, wheel = 'packages: [libre2-dev]'): string => `
slipway: 1
pipeline: { name: wheels, label: X1 }
platforms:
  debian-12: { like: linux-x86_64, base: debian-12, libc: '2.36' }
pythons: [cp311]
bases:
  debian-12: ${base}
sources: { skiff: { sdist: skiff==1.0, sha256: ${'a'.repeat(64)} } }
wheels:
  skiff: { source: skiff, ${wheel} }
`;
const WEEKLY = '{ debian: bookworm, python: own, refresh: 7d }';
const day = (text: string): number => Date.parse(`${text}T10:00:00Z`);
const planned = (text: string, nowMs: number, madeFor: Readonly<Record<string, string>> = {}): Plan =>
  plan(readReleaseFile(text, 'slipway.yaml'), { ...someFacts(), nowMs, madeFor });
const sinceOf = (made: Plan, id: string): unknown =>
  (stepOf(made, id) as { readonly params: { readonly from: { readonly since?: string } } }).params.from.since;

test('given a base with `refresh`, then its period is in the parameters of the base, and of bases over it', () => {
  const made = planned(file(WEEKLY), day('2026-11-23'));
  expect(sinceOf(made, 'bases/wheels-skiff/debian-12')).toBe('2026-11-19');
  expect(sinceOf(planned(file(WEEKLY, ''), day('2026-11-23')), 'bases/of-platform/debian-12')).toBe('2026-11-19');
});

test('given two days of one period, then the plans are the same; another period is another plan', () => {
  const [one, two, later] = ['2026-11-19', '2026-11-25', '2026-11-26'].map((text) => planned(file(WEEKLY), day(text)));
  expect(two).toEqual(one);
  expect(sinceOf(later!, 'bases/wheels-skiff/debian-12')).toBe('2026-11-26');
});

test('given a base without `refresh`, then it has no period', () => {
  const made = planned(file('{ debian: bookworm, python: own }', ''), day('2026-11-23'));
  expect(sinceOf(made, 'bases/of-platform/debian-12')).toBeUndefined();
});

test.each([
  ['12h', 'a base is refreshed once a day at most'],
  ['soon', 'a duration is a number and a unit'],
])('given `refresh: %s`, then it is refused with its line', (text, why) => {
  const [problem] = problemsOf(file(`{ debian: bookworm, refresh: ${text} }`));
  expect(problem).toMatchObject({ code: 'WRONG_VALUE', place: { line: 8 } });
  expect(problem!.message).toContain(why);
});

describe('given a platform whose wheels are all listed', () => {
  // The entry that needs the base is left out, as for wheels that an index has.
  const idle = file(WEEKLY).replace(/^wheels:[^]*/m, '');
  const LINE = 'wheels/debian-12/debian-12';

  test.each([
    ['was never made', {}, []],
    ['was made for this period', { [LINE]: '2026-11-19' }, []],
    ['was made for an earlier period', { [LINE]: '2026-11-12' }, ['bases/of-platform/debian-12']],
    ['of another pipeline was made before', { 'boats/debian-12/debian-12': '2026-11-12' }, []],
    ['of another platform was made before', { 'wheels/debian-12/debian-13': '2026-11-12' }, []],
  ])('when its base %s, then the bases to make are %#', (_, madeFor, bases) => {
    const { steps } = planned(idle, day('2026-11-23'), madeFor);
    expect(steps.filter(({ stage }) => stage === 'images').map(({ id }) => id)).toEqual(bases);
  });
});

describe('given a platform whose base is an image, and whose wheels are all listed', () => {
  const image = (digit: string): string => `boats/base@sha256:${digit.repeat(64)}`;
  const idle = file(`{ image: '${image('b')}', python: own }`).replace(/^wheels:[^]*/m, '');
  const LINE = 'wheels/debian-12/debian-12';

  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['was never made', {}, []],
    ['was made from this image', { [LINE]: image('b') }, []],
    ['was made from another image', { [LINE]: image('a') }, ['bases/of-platform/debian-12']],
  ])('when its base %s, then the bases to make are %#', (_, madeFor, bases) => {
    const { steps } = planned(idle, day('2026-11-23'), madeFor);
    expect(steps.filter(({ stage }) => stage === 'images').map(({ id }) => id)).toEqual(bases);
  });
});
