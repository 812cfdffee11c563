import { fold, noStandings } from '../../src/engine/standings/fold.js';
import type { Facts } from '../../src/plan/facts.js';
import { toleratedBy } from '../../src/plan/tolerated.js';
import { aNight, aTest, CHAIN, POLICY, timeOf } from '../engine/standings/a-night.js';
import { HEAD, planOf, problemsOf, stepOf } from './a-plan.js';

const FILE = `${HEAD}deps: { ray: { requires: ['ray[default]'] } }
clusters: { one: { manager: local } }
tests:
  spread: { needs: ['deps/ray'], cluster: one, run: t, pythons: [cp311] }
  other: { needs: ['deps/ray'], cluster: one, run: t, pythons: [cp311] }
standings: { branch: master, jail: { for: 7d } }
`;
const SPREAD = 'tests/spread/cp311/linux-x86_64';
const NAME = 'spread@linux-x86_64@cp311';
const jailed = [1, 2, 3].reduce(
  (last, day) => fold(last, aNight(day, { [NAME]: aTest('F') }), [], POLICY),
  noStandings(CHAIN),
);

test('given standings, then their step runs after all cluster tests, also in a cancelled run', () => {
  const step = stepOf(planOf(FILE), 'report/standings');
  expect(step).toMatchObject({
    kind: 'keepStandings',
    params: { branch: 'master', jail: { after: 3, forMs: 7 * 86_400_000 }, infraCounts: false },
    needs: [],
    wants: [],
  });
  expect(step.after).toEqual(expect.arrayContaining([SPREAD, 'tests/other/cp311/linux-x86_64']));
  expect(stepOf(planOf(FILE), 'report/run').after).toContain('report/standings');
});

test.each([
  ['now', 4, 'jailed: core until 2026-11-18'],
  ['after its jail', 17, undefined],
])('given a jailed test, when it is planned %s, then its failure is tolerated: %s', (_when, day, tolerate) => {
  const made = planOf(FILE, { tolerated: toleratedBy(jailed, Date.parse(timeOf(day))) });
  expect(stepOf(made, SPREAD).tolerate).toBe(tolerate);
  expect(stepOf(made, 'tests/other/cp311/linux-x86_64').tolerate).toBeUndefined();
});

test('given no test on a cluster, then standings are refused', () => {
  expect(problemsOf(`${HEAD}standings: { branch: master }\n`)).toMatchObject([
    { path: 'standings', message: expect.stringContaining('no test runs on a cluster') },
  ]);
});

test.each([
  ['no branch', '{}'],
  ['a jail of zero length', '{ branch: master, jail: { for: 0s } }'],
  ['a jail after one failure', '{ branch: master, jail: { after: 1 } }'],
  ['a share above 1', '{ branch: master, flaky: { share: 101 } }'],
  ['an unknown answer', '{ branch: master, infra: yes }'],
  ['an unknown key', '{ branch: master, jial: {} }'],
  ['an unknown way to bisect', '{ branch: master, bisect: now }'],
])('given %s, then it is refused', (_what, section) => {
  const codes = problemsOf(FILE.replace(/standings: .*/, `standings: ${section}`)).map(({ code }) => code);
  expect(codes.length).toBeGreaterThan(0);
});

describe('given `bisect: start`', () => {
  const STARTS = FILE.replace('standings: {', 'standings: { bisect: start,');
  const PIPELINE = STARTS.replace(/release: .*/, 'pipeline: { name: skiff, label: n1 }');

  test('when a pipeline has commits and publishes nothing, then the step starts bisects', () => {
    const git = { commit: 'c'.repeat(40), branch: 'main', epoch: 0, files: {} } as unknown as NonNullable<Facts['git']>;
    const made = planOf(PIPELINE.replace(/source: .*/, 'source: { git: . }'), { git });
    expect(stepOf(made, 'report/standings').params).toMatchObject({ startsBisects: true });
  });

  test.each([
    ['a release', STARTS, 'this file describes a release'],
    ['a source without commits', PIPELINE, 'its source has no commits'],
    [
      'a file that publishes',
      `${PIPELINE}steps: { chart: { run: make, outputs: [x] } }\npublish: { shelf: { kind: s3, files: [steps/chart], path: '{file}' } }\n`,
      'it changes targets',
    ],
  ])('when it stands in %s, then it is refused with its place', (_what, text, why) => {
    const refused = { path: 'standings.bisect', message: expect.stringContaining(why) };
    expect(problemsOf(text)).toContainEqual(expect.objectContaining(refused));
  });
});
