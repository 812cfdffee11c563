import { colours } from '../../src/cli/render/paint.js';
import { planLines } from '../../src/cli/screens/plan.js';
import type { TakenWheel } from '../../src/plan/facts.js';
import { readTake } from '../../src/plan/taken/take.js';
import { HEAD, idsOf, planOf, stepOf } from './a-plan.js';

const COMMIT = 'c'.repeat(40);
const AT = `https://wheels.example.invalid/main/${COMMIT}/`;
const boat: TakenWheel = { take: 'main', commit: COMMIT, branch: 'main', from: { at: `${AT}boat-3.0-{python}.whl` } };
const FILE = `${HEAD}wheels:
  boat: { from: { at: 'https://wheels.example.invalid/{branch}/{commit}/', take: main, wait: 90m } }
`;
const TEST = (needs: string): string =>
  `tests: { smoke: { in: venv, needs: [${needs}], run: 'true', expect: fine } }\n`;
const planned = (text: string) => planOf(text, { wheels: { boat } });

test('given wheels of another pipeline, then the plan waits only for the Pythons that a step needs', () => {
  expect(idsOf(planned(FILE + TEST("'wheels/boat[python=cp311]'")), 'wheels')).toEqual([
    'wheels/boat/cp311/linux-x86_64',
  ]);
  expect(idsOf(planned(FILE), 'wheels')).toHaveLength(2);
});

test('given a wait limit, then the step waits that long on control, and is not retried by default', () => {
  const step = stepOf(planned(FILE), 'wheels/boat/cp311/linux-x86_64')!;
  expect(step).toMatchObject({
    kind: 'takeWheel',
    on: 'control',
    limitMs: 120 * 60_000,
    retry: { infra: { times: 0 } },
  });
  expect(step.params).toMatchObject({ from: { at: `${AT}boat-3.0-cp311.whl` }, wanted: COMMIT, waitMs: 90 * 60_000 });
  const again = FILE.replace('wait: 90m }', 'wait: 90m }, retry: { infra: { times: 1, wait: 30m..90m } }');
  expect(stepOf(planned(again), 'wheels/boat/cp311/linux-x86_64')!.retry.infra).toMatchObject({
    times: 1,
    waitToMs: 90 * 60_000,
  });
});

test('when the plan is printed, then it names where each wheel comes from', () => {
  const lines = planLines(planned(FILE + TEST('wheels/boat')), 'sha256:0', colours(false));
  expect(lines).toContain('Wheels that are taken');
  expect(lines).toContain(`  wheels/boat/cp311/linux-x86_64  ${AT}boat-3.0-cp311.whl  for at most 1 h 30 min`);
});

test.each([
  ['', { kind: 'source' }],
  [COMMIT, { kind: 'commit', commit: COMMIT, owner: null }],
  [`kim:${COMMIT}`, { kind: 'commit', commit: COMMIT, owner: 'kim' }],
  ['cccccccc', { kind: 'short', hash: 'cccccccc' }],
  ['releases/3.0', { kind: 'branch', branch: 'releases/3.0', owner: null }],
  ['kim:fix/it', { kind: 'branch', branch: 'fix/it', owner: 'kim' }],
  ['https://git.example.invalid/kim/boat/tree/fix', { kind: 'branch', branch: 'fix', owner: 'kim' }],
  ['latest', { kind: 'latest' }],
  [`${AT}a.whl`, { kind: 'address', address: `${AT}a.whl`, commit: COMMIT }],
  ['http://wheels.example.invalid/a/', { kind: 'address', address: 'http://wheels.example.invalid/a/', commit: null }],
  ['s3://wheels/a/', { kind: 'address', address: 's3://wheels/a/', commit: null }],
  ['file:../a.whl', { kind: 'file', path: '../a.whl' }],
  ['file:///a/b.whl', { kind: 'file', path: '/a/b.whl' }],
  ['store:boat', { kind: 'store', release: 'boat' }],
  ['store: boat', { kind: 'store', release: 'boat' }],
  ['a..b', null],
  ['-x', null],
  ['kim:', null],
  ['https://wheels.example.invalid/a.zip', null],
  ['https://kim:pass@wheels.example.invalid/a.whl', null],
  ['https://wheels.example.invalid/a.whl?token=1', null],
  ['file:a.zip', null],
])('given the text %j for `take`, then it is parsed', (text, take) => expect(readTake(text)).toEqual(take));
