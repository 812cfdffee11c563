/** @slow */
import { gzipSync } from 'node:zlib';
import type { RunStatus, StepStatus } from '../../src/model/messages.js';
import { KINDS, type KindName } from '../../src/model/kinds.js';
import { STAGE_IDS } from '../../src/model/stages.js';
import { details } from '../../src/workflows/details.js';
import { fitting } from '../../src/workflows/fitting.js';
import { aProblem } from '../engine/a-skeleton.js';
import { fc } from '../support/fixed-seed.js';

const KIND_NAMES = Object.keys(KINDS) as KindName[];
const STATES = ['waiting', 'running', 'held', 'done', 'cached', 'failed', 'skipped', 'dropped'] as const;
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

test('given a status, then the details list stages, running steps, and failed steps with their last lines', () => {
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

test('given a first error above the last lines, then it is shown before them', () => {
  const firstError = ['a.c:1:1: error: no hull', '    1 | x'];
  const text = details(status([{ ...FAILED, problems: [aProblem({ evidence, firstError })] }]));
  expect(text).toContain(['```', ...firstError, '…', ...evidence.slice(-15), '```'].join('\n'));
});

test('given thirteen failed steps, then the details show ten and count the rest', () => {
  expect(details(status(Array.from({ length: 13 }, () => FAILED)))).toContain('… and 3 more failed steps');
});

test('given less and less room, then a status drops output, notes, times, problems, successful steps and all steps, in order', () => {
  const done = Array.from({ length: 50 }, () => step({ note: 'n'.repeat(40), ms: 5 }));
  const lost = new Set<string>();
  for (let most = 10_000; most > 0; most -= 10) {
    const { steps } = fitting(status([...done, FAILED]), most);
    const [first, last] = [steps[0], steps.at(-1)];
    const keeps = {
      output: last?.problems?.[0]?.evidence,
      notes: first?.note,
      times: first?.ms,
      problems: last?.problems,
    };
    const kept = { ...keeps, good: first?.id === 'steps/a', steps: last };
    for (const [name, value] of Object.entries(kept)) if (!value) lost.add(name);
  }
  expect([...lost]).toEqual(['output', 'notes', 'times', 'problems', 'good', 'steps']);
});

const LARGE: readonly (readonly [string, number, (at: number) => Partial<StepStatus>])[] = [
  ['wait', 20_000, () => ({ state: 'waiting', attempt: 0 })],
  [
    'are done, with notes',
    10_000,
    () => ({ startedAt: 1e6, ms: 12_345, note: '41 tests passed, 3 skipped, one file of 1.2 MB' }),
  ],
  ['are done, with notes outside ASCII', 20_000, () => ({ startedAt: 1e6, ms: 12_345, note: 'é'.repeat(60) })],
  [
    'are held, with much to say',
    5000,
    () => ({ state: 'held', heldAt: 1e6, problems: [aProblem({ message: 'm'.repeat(400), evidence })] }),
  ],
];

test.each(LARGE)('given a large plan whose steps all %s, then the status has every step', (_, count, over) => {
  const steps = Array.from({ length: count }, (__, at) =>
    step({ id: `tests/unit-${at}/linux-x86_64/py311`, ...over(at) }),
  );
  const told = fitting(status(steps));
  expect(gzipSync(JSON.stringify(told)).length).toBeLessThan(1_400_000);
  const named = (all: readonly StepStatus[]) => all.map(({ id, state }) => `${id} ${state}`);
  expect(named(told.steps)).toEqual(named(steps));
});

const anyText = fc.string({ unit: fc.oneof(fc.string({ minLength: 1, maxLength: 1 }), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })), maxLength: 60 }); // prettier-ignore
const anyStep = fc.record(
  {
    ...{ id: fc.string({ minLength: 1, maxLength: 30 }), kind: fc.constantFrom(...KIND_NAMES) },
    ...{ stage: fc.constantFrom(...STAGE_IDS), state: fc.constantFrom(...STATES), attempt: fc.nat(100) },
    ...{ startedAt: fc.nat(1e9), ms: fc.nat(1e6), note: anyText, because: anyText },
  },
  { requiredKeys: ['id', 'kind', 'stage', 'state', 'attempt'] },
);

test('given a status that does not compress, then it stays within its bound', () => {
  const many = fc.array(anyStep, { minLength: 200, maxLength: 400, size: 'max' });
  fc.assert(
    fc.property(many, fc.integer({ min: 2000, max: 40_000 }), (steps, most) => {
      const told = fitting(status(steps), most);
      expect(gzipSync(JSON.stringify(told)).length).toBeLessThanOrEqual(most);
    }),
    { numRuns: 30 },
  );
});
