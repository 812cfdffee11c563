import { fc } from '../support/fixed-seed.js';
import type { RunStatus, StepState, StepStatus } from '../../src/model/messages.js';
import { inBrief, inFull } from '../../src/model/quiet-steps.js';

const STATES: readonly StepState[] = ['waiting', 'running', 'held', 'done', 'cached', 'failed', 'skipped', 'dropped'];
const aStep = fc.record(
  {
    id: fc.string({ unit: fc.constantFrom('steps/', 'a', '1'), minLength: 1, maxLength: 4 }),
    kind: fc.constantFrom('runCommand', null),
    stage: fc.constantFrom('steps', 'tests'),
    state: fc.constantFrom(...STATES),
    attempt: fc.nat(3),
    startedAt: fc.nat(10_000),
    ms: fc.nat(10_000),
    note: fc.constantFrom('one', 'another'),
    because: fc.constantFrom('steps/a failed', 'left out'),
    againAt: fc.nat(10_000),
  },
  { requiredKeys: ['id', 'kind', 'stage', 'state', 'attempt'] },
) as fc.Arbitrary<StepStatus>;
const status = (steps: readonly StepStatus[]): RunStatus => ({
  ...{ workflowId: 'release/thing/1.0', run: 'r', plan: null, name: 'thing', version: '1.0', rehearsal: false },
  ...{ state: 'running', startedAt: 5000, steps, problems: [] },
});

test('a status in brief says in full what it said before, in the order of the plan', () => {
  fc.assert(
    fc.property(fc.array(aStep, { maxLength: 30 }), (steps) => {
      const travelled = JSON.parse(JSON.stringify(inBrief(status(steps)))) as RunStatus;
      expect(inFull(travelled)).toEqual(status(steps));
    }),
  );
});

test('in brief ten thousand steps that went well take a tenth of the room, and what runs is still told in full', () => {
  const done = Array.from({ length: 10_000 }, (_, at): StepStatus => ({
    ...{ id: `steps/compile-${at}`, kind: 'runCommand', stage: 'steps', state: 'done', attempt: 1 },
    ...{ startedAt: 5000 + at * 10, ms: 100, note: '' },
  }));
  const runs: StepStatus = { id: 'steps/link', kind: 'runCommand', stage: 'steps', state: 'running', attempt: 1 };
  const whole = status([...done.slice(0, 5000), runs, ...done.slice(5000)]);
  const brief = inBrief(whole);
  expect(brief.steps).toEqual([runs]);
  expect(JSON.stringify(brief).length).toBeLessThan(JSON.stringify(whole).length / 5);
});
