import { forecast, recoverable, type Forecast } from '../../src/engine/forecast/forecast.js';
import type { StepState, StepStatus } from '../../src/model/messages.js';
import { aSkeleton, type Rough } from './a-skeleton.js';

const START = 1_000_000;

test('given slow durations, then the 90 % forecast adds them in quadrature; a late step counts as slow', () => {
  const skeleton = aSkeleton([
    { id: 'a', expectedMs: 100 },
    { id: 'b', expectedMs: 200, needs: [0] },
    { id: 'beside', expectedMs: 10, needs: [0] },
  ]);
  const at = (state: StepState, ms: number, slowMs?: readonly (number | undefined)[]) => {
    const told = skeleton.steps.map(({ id }, no): StepStatus => ({
      ...{ id, kind: 'runCommand', stage: 'steps', attempt: 1, state: no === 0 ? state : 'waiting' },
      ...(no === 0 && state === 'running' && { startedAt: START }),
    }));
    const { endAtMs, likelyByMs } = forecast(skeleton, told, START, START + ms, slowMs);
    return [endAtMs - START, likelyByMs - START];
  };
  expect(at('waiting', 0)).toEqual([300, 300]); // nothing is known of how they vary
  expect(at('waiting', 0, [130, 240, 900])).toEqual([300, 350]); // 30 and 40: a right angle; what stands beside does not count
  expect(at('running', 50, [130, 240, 900])).toEqual([300, 350]);
  expect(at('running', 110, [130, 240, 900])).toEqual([330, 370]); // the first will take its 130
  expect(at('running', 160, [130, 240, undefined])).toEqual([360, 400]); // and now nobody knows
});

/** How a step stands: by its state, with what the status tells of it. */
type Row = Rough & { readonly state?: StepState; readonly told?: Partial<StepStatus> };

function look(rows: readonly Row[], { windows = { control: 10 }, atMs = 0 } = {}): Forecast {
  const skeleton = aSkeleton(
    rows.map(({ state: _, told: __, ...step }) => step),
    { windows },
  );
  const told = rows.map(({ id, state = 'waiting', told: more }): StepStatus => ({
    ...{ id, kind: 'runCommand', stage: 'steps', state, attempt: 1 },
    ...more,
  }));
  return forecast(skeleton, told, START, START + atMs);
}
const inMs = (found: Forecast): number => found.endAtMs - START;
const slack = (found: Forecast): Record<string, number> => Object.fromEntries(found.slackMs);

const DIAMOND: readonly Row[] = [
  { id: 'a', expectedMs: 10 },
  { id: 'quick', expectedMs: 5, needs: [0] },
  { id: 'slow', expectedMs: 50, needs: [0] },
  { id: 'z', expectedMs: 1, needs: [1, 2] },
];

describe('the forecast end of a run', () => {
  const two = { windows: { control: 1 } };
  test.each<[string, readonly Row[], object, number]>([
    ['is the end of the longest chain', DIAMOND, {}, 61],
    ['is later with only one slot', DIAMOND, two, 66],
    ['is now without open steps', [{ id: 'a', state: 'done', told: { ms: 7 } }], { atMs: 9 }, 9],
    [
      'counts the remaining time of a running step',
      [{ id: 'a', expectedMs: 100, state: 'running', told: { startedAt: START } }],
      { atMs: 30 },
      100,
    ],
    [
      'is now for a step beyond its expected duration',
      [{ id: 'a', expectedMs: 100, state: 'running', told: { startedAt: START } }],
      { atMs: 130 },
      130,
    ],
    [
      'counts a step that no worker has taken as whole',
      [{ id: 'a', expectedMs: 100, state: 'running', told: { startedAt: START, queued: true } }],
      { atMs: 30 },
      130,
    ],
    [
      'includes the wait for a retry and the whole step',
      [{ id: 'a', expectedMs: 100, state: 'backing off', told: { againAt: START + 500 } }],
      {},
      600,
    ],
    [
      'includes the slot of a running step',
      [
        { id: 'a', expectedMs: 100, state: 'running', told: { startedAt: START } },
        { id: 'b', expectedMs: 5 },
      ],
      two,
      105,
    ],
    [
      'starts the longest remaining chain first',
      [{ id: 'c', expectedMs: 3 }, ...DIAMOND.map(moved)],
      { windows: { control: 2 } },
      61,
    ],
  ])('%s', (_, rows, more, expected) => expect(inMs(look(rows, more))).toBe(expected));
});

/** The same step behind one more. */
function moved(row: Row): Row {
  return { ...row, ...(row.needs && { needs: row.needs.map((on) => on + 1) }) };
}

test('given steps of unknown duration, held steps and gates, then the forecast counts them', () => {
  const found = look([
    { id: 'a' },
    { id: 'b', expectedMs: 4, state: 'held' },
    { id: 'c', expectedMs: 4, state: 'at gate' },
    { id: 'd', expectedMs: 4, needs: [1] },
    { id: 'report', stage: 'report', after: [0] },
  ]);
  expect(found).toMatchObject({ unknown: 1, people: 2 });
  expect(inMs(found)).toBe(8);
});

test.each<[string, Row, Forecast['overdue']]>([
  ['within its expected duration', { id: 'x', expectedMs: 100 }, null],
  ['beyond its expected duration', { id: 'x', expectedMs: 20 }, { id: 'x', ms: 60 }],
  ['never measured', { id: 'x' }, { id: 'x', ms: 60 }],
  ['never measured, which no worker has taken', { id: 'x', told: { queued: true } }, null],
  ['that writes the report', { id: 'report', stage: 'report' }, null],
])('given a running step %s, then the forecast names it if nobody knows when it ends', (_, row, expected) => {
  const told = { startedAt: START + 20 };
  const later: Row = { id: 'later', state: 'running', told: { startedAt: START + 70 } };
  const rows: readonly Row[] = [
    { ...row, state: 'running', told: { ...told, ...row.told } },
    { id: 'waits', needs: [0] },
  ];
  expect(look(rows, { atMs: 80 }).overdue).toEqual(expected);
  expect(look([...rows, later], { atMs: 80 }).overdue).toEqual(expected ?? { id: 'later', ms: 10 }); // the longest
});

test('given open steps, then slack is how much longer each may take without a later end of the run', () => {
  expect(slack(look(DIAMOND))).toEqual({ a: 0, quick: 45, slow: 0, z: 0 });
  const busy = look(
    [1, 2, 3].map((no) => ({ id: `s${no}`, expectedMs: 10 })),
    { windows: { control: 1 } },
  );
  expect(slack(busy)).toEqual({ s1: 20, s2: 10, s3: 0 });
});

test.each([
  [40, 'on', 0],
  [20, 'off', 15],
])('given a retry in %d ms, then the step is %s the critical path', (againMs, _, left) => {
  const rows = DIAMOND.map((row): Row => {
    if (row.id === 'a') return { ...row, state: 'done', told: { ms: 10 } };
    if (row.id === 'quick') return { ...row, expectedMs: 15, state: 'backing off', told: { againAt: START + againMs } };
    return row;
  });
  expect(slack(look(rows))['quick']).toBe(left);
});

test('given done and running steps, then the critical path counts measured times, or the longer of elapsed and expected', () => {
  const found = look(
    [
      { id: 'a', expectedMs: 10, state: 'done', told: { ms: 30 } },
      { id: 'b', expectedMs: 5, needs: [0], state: 'running', told: { startedAt: START + 40 } },
      { id: 'c', expectedMs: 20, needs: [1] },
      { id: 'd', expectedMs: 20, needs: [0], state: 'cached', told: { ms: 0 } },
    ],
    { atMs: 50 },
  );
  expect(found.path).toEqual({ ms: 60, steps: ['a', 'b', 'c'], recoverable: 1 - 60 / 70 });
  expect([recoverable(10, 0), recoverable(10, 5), recoverable(0, 10)]).toEqual([0, 0, 1]);
});

test('given a truncated status, then the forecast treats missing steps as ended', () => {
  const { steps, windows } = aSkeleton([
    { id: 'a', expectedMs: 9 },
    { id: 'b', expectedMs: 4, needs: [0] },
  ]);
  const told: StepStatus = { id: 'b', kind: 'runCommand', stage: 'steps', state: 'waiting', attempt: 0 };
  expect(forecast({ steps, windows }, [told], START, START).endAtMs).toBe(START + 4);
});

test('given 10,000 steps, then the forecast is computed', () => {
  const rows = Array.from({ length: 10_000 }, (_, no) => ({
    id: `s${no}`,
    expectedMs: 10,
    needs: no < 100 ? [] : [no - 100],
  }));
  expect(inMs(look(rows, { windows: { control: 50 } }))).toBe(2000);
});
