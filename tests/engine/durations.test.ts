import { durationsOf, expectations, expecting, percentile } from '../../src/engine/forecast/durations.js';
import { Scheduler } from '../../src/engine/run/scheduler.js';
import { sizeOf, type Durations } from '../../src/model/durations.js';
import type { Plan } from '../../src/model/plan.js';
import type { Result } from '../../src/model/result.js';
import { aSkeleton, aStep, type Rough } from './a-skeleton.js';

const MINUTE = 60_000;

test.each([
  [1, 'small'],
  [MINUTE, 'small'],
  [MINUTE + 1, 'medium'],
  [5 * MINUTE, 'medium'],
  [15 * MINUTE, 'large'],
  [60 * MINUTE, 'enormous'],
  [61 * MINUTE, 'endless'],
])('given a limit of %d ms, then the size is %s', (limitMs, size) => expect(sizeOf(limitMs)).toBe(size));

test.each([
  ['one time', [7], 7, 7],
  ['two', [1, 9], 1, 9],
  ['ten', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 5, 9],
])('given %s, then its median and 90th percentile are measured values', (_, sorted, p50, p90) => {
  expect([percentile(sorted, 0.5), percentile(sorted, 0.9)]).toEqual([p50, p90]);
});

/** A run of `release` that measured these steps. */
function measured(release: string, steps: readonly (Rough & { readonly ms: number })[], run = 'r1'): Durations {
  const plan = { release: { name: release, version: '1' }, steps: steps.map(aStep) } as unknown as Plan;
  const results = steps.map(({ id, ms }) => ({ step: id, made: { run, ms } }) as unknown as Result);
  return durationsOf(plan, run, '2026-11-21T12:00:00.000Z', results);
}

test('given a step whose id has another hash than before, then its expected duration is that of the step before', () => {
  const before = { id: 'specs/zlib-1.3-gccypu6', kind: 'buildSpec', on: 'linux', ms: 700 } as const;
  const other = { ...before, id: 'specs/zlib-1.2-cq435wd', ms: 9 };
  const expect_ = expectations([measured('skiff', [before, other])], 'skiff');
  const now = aStep({ ...before, id: 'specs/zlib-1.3-aaaaaaa' });
  expect(expect_(now)).toEqual({ p50Ms: 700, p90Ms: 700, times: 1, by: 'step' });
});

test('when durations of a run are stored, then reused results and results of earlier runs are left out', () => {
  const plan = { release: { name: 'skiff', version: '1' }, steps: ['a', 'b', 'c', 'd'].map((id) => aStep({ id })) };
  const made = (step: string, run: string, more = {}) => ({ step, made: { run, ms: 40, ...more } });
  const results = [made('a', 'now'), made('b', 'before'), made('c', 'now', { reused: true })] as unknown as Result[];
  expect(durationsOf(plan as unknown as Plan, 'now', 'then', results)).toEqual({
    release: 'skiff',
    run: 'now',
    at: 'then',
    classes: [{ kind: 'runCommand', on: 'control', size: 'small' }],
    steps: { a: [0, 40] },
  });
});

describe('the expected duration of a step', () => {
  const history = [
    measured('skiff', [
      { id: 'wheels/a', kind: 'buildWheel', on: 'linux', ms: 100 },
      { id: 'wheels/b', kind: 'buildWheel', on: 'linux', ms: 500 },
    ]),
    measured('skiff', [{ id: 'wheels/a', kind: 'buildWheel', on: 'linux', ms: 140 }], 'r2'),
    measured('other', [{ id: 'wheels/a', kind: 'buildWheel', on: 'mac', ms: 9000 }], 'r3'),
  ];
  const expect_ = expectations(history, 'skiff');

  test.each([
    [
      'is that of the same step in this release',
      { id: 'wheels/a', on: 'linux' },
      { p50Ms: 100, p90Ms: 140, times: 2, by: 'step' },
    ],
    [
      'is that of similar steps in this release',
      { id: 'wheels/new', on: 'linux' },
      { p50Ms: 140, p90Ms: 500, times: 3, by: 'class' },
    ],
    [
      'is that of similar steps in another release',
      { id: 'wheels/new', on: 'mac' },
      { p50Ms: 9000, p90Ms: 9000, times: 1, by: 'class' },
    ],
    ['is the median of its kind', { id: 'x', on: 'gpu' }, { p50Ms: 140, p90Ms: 9000, times: 4, by: 'kind' }],
    [
      'is the median of its kind for another size',
      { id: 'x', on: 'linux', limitMs: MINUTE * 20 },
      { p50Ms: 140, by: 'kind' },
    ],
  ])('%s', (_, rough, expected) => {
    expect(expect_(aStep({ kind: 'buildWheel', ...rough }))).toMatchObject(expected);
  });

  test('given a kind that was never measured, then it is unknown', () => {
    expect(expect_(aStep({ id: 'wheels/a2', kind: 'runTest' }))).toBeNull();
  });
});

test('when steps are ordered, then measured durations count before time limits', () => {
  const steps = [
    { id: 'patient', limitMs: 90 * MINUTE },
    { id: 'long', limitMs: 2 * MINUTE },
  ];
  const history = [
    measured('thing', [
      { id: 'patient', ms: 10 },
      { id: 'long', ms: 60_000 },
    ]),
  ];
  const first = (skeleton: ReturnType<typeof aSkeleton>): string => {
    const [command] = new Scheduler(skeleton, { nowMs: 0, random: () => 0 }).next();
    return command?.do === 'start' ? skeleton.steps[command.step]!.id : '';
  };
  const bare = aSkeleton(steps, { windows: { control: 1 } });
  const told = expecting(bare, expectations(history, 'thing'));
  expect([first(bare), first(told)]).toEqual(['patient', 'long']);
  expect(told.plan).toBe(bare.plan);
});
