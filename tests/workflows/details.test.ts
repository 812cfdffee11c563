import type { RunStatus, StepStatus } from '../../src/model/messages.js';
import { inFull } from '../../src/model/quiet-steps.js';
import { details } from '../../src/workflows/details.js';
import { fitting } from '../../src/workflows/fitting.js';
import { aProblem } from '../engine/a-skeleton.js';

const step = (over: Partial<StepStatus>): StepStatus => ({
  id: 'steps/a',
  kind: 'runCommand',
  stage: 'steps',
  state: 'done',
  attempt: 1,
  ...over,
});
const status = (steps: readonly StepStatus[]): RunStatus => ({
  workflowId: 'release/thing/1.0',
  run: 'r',
  plan: `sha256:${'a'.repeat(64)}`,
  name: 'thing',
  version: '1.0',
  rehearsal: false,
  state: 'running',
  startedAt: 0,
  steps,
  problems: [],
});
const evidence = Array.from({ length: 40 }, (_, line) => `line ${line}`);
const FAILED = step({ id: 'tests/a', stage: 'tests', state: 'failed', problems: [aProblem({ evidence })] });

test('stages with what became of their steps, what runs now, then each failed step with its last lines', () => {
  const text = details(status([step({}), step({ id: 'steps/b', state: 'running' }), FAILED]));
  expect(text).toBe(
    [
      '**thing 1.0**: running, plan `aaaaaaaaaaaa`',
      '',
      '```',
      'tests    1 failed',
      'steps    1 done, 1 running',
      '```',
      '',
      'Now:',
      '- `steps/b` running command',
      '',
      '**tests/a** `COMMAND_FAILED` make exited with 2',
      'Read the log.',
      '```',
      ...evidence.slice(-15),
      '```',
    ].join('\n'),
  );
});

test('given a first error above the last lines, it is shown before them', () => {
  const firstError = ['a.c:1:1: error: no hull', '    1 | x'];
  const text = details(status([{ ...FAILED, problems: [aProblem({ evidence, firstError })] }]));
  expect(text).toContain(['```', ...firstError, '…', ...evidence.slice(-15), '```'].join('\n'));
});

test('of many failed steps the first ten are told', () => {
  expect(details(status(Array.from({ length: 13 }, () => FAILED)))).toContain('… and 3 more failed steps');
});

test('a status that is too large loses its output first, then the steps that went well', () => {
  const all = status([...Array.from({ length: 50 }, () => step({})), FAILED]);
  const size = (one: RunStatus) => JSON.stringify(one).length;
  expect(fitting(all, size(all))).toEqual(all);
  const brief = fitting(all, size(all) - 1);
  expect(brief.steps).toHaveLength(51);
  expect(brief.steps.at(-1)!.problems![0]).not.toHaveProperty('evidence');
  const briefer = fitting(all, size(brief) - 1);
  expect(briefer.steps.map(({ id }) => id)).toEqual(['tests/a']);
  expect(inFull(briefer).steps).toHaveLength(51);
  expect(fitting(all, 10).steps).toEqual([]);
});

const LARGE: readonly (readonly [string, number, (at: number) => Partial<StepStatus>])[] = [
  ['wait', 20_000, () => ({ state: 'waiting', attempt: 0 })],
  [
    'got done, with notes',
    10_000,
    () => ({ startedAt: 1e6, ms: 12_345, note: '41 tests passed, 3 skipped, one file of 1.2 MB' }),
  ],
  [
    'got done, with notes that are all of another alphabet',
    20_000,
    () => ({ startedAt: 1e6, ms: 12_345, note: 'é'.repeat(60) }),
  ],
  [
    'are held, with much to say',
    5000,
    () => ({ state: 'held', heldAt: 1e6, problems: [aProblem({ message: 'm'.repeat(400), evidence })] }),
  ],
];

test.each(LARGE)('of a large plan whose steps all %s, none is lost from the status', (_, count, over) => {
  const steps = Array.from({ length: count }, (__, at) =>
    step({ id: `tests/unit-${at}/linux-x86_64/py311`, ...over(at) }),
  );
  const travels = JSON.stringify(fitting(status(steps)));
  expect(Buffer.byteLength(travels)).toBeLessThan(1_500_000);
  const told = inFull(JSON.parse(travels) as RunStatus).steps;
  expect(told.map(({ id, state }) => `${id} ${state}`)).toEqual(steps.map(({ id, state }) => `${id} ${state}`));
});
