import { tryOf } from '../../../src/engine/bisect/try-of.js';
import type { FailureClass } from '../../../src/model/failure.js';
import type { RunStatus, StepState, StepStatus } from '../../../src/model/messages.js';
import { aProblem } from '../a-skeleton.js';

const step = (id: string, state: StepState, of?: FailureClass, more: Partial<StepStatus> = {}): StepStatus => ({
  ...{ id, kind: 'runTest', stage: 'tests', state, attempt: 1 },
  ...(of && { problems: [aProblem({ class: of })] }),
  ...more,
});
const run = (...steps: readonly StepStatus[]): Pick<RunStatus, 'steps' | 'problems' | 'verdict'> => ({
  steps,
  problems: [],
});

test.each<[string, ReturnType<typeof run>, string]>([
  ['its test passed', run(step('tests/sail', 'done')), 'pass'],
  [
    'another step failed and its test passed',
    run(step('tests/sail', 'done'), step('wheels/x', 'failed', 'product')),
    'pass',
  ],
  ['its test failed with product', run(step('tests/sail', 'failed', 'product')), 'fail'],
  [
    'one of two variants failed',
    run(step('tests/sail/cp310', 'done'), step('tests/sail/cp311', 'failed', 'product')),
    'fail',
  ],
  ['its failure is tolerated', run(step('tests/sail', 'skipped', 'product', { tolerated: true })), 'fail'],
  [
    'a test with a longer name failed',
    run(step('tests/sail', 'done'), step('tests/sail-far', 'failed', 'product')),
    'pass',
  ],
  ['no cluster came up', run(step('tests/sail', 'failed', 'infra')), 'infra'],
  ['its worker was lost', run(step('tests/sail', 'failed', 'lost')), 'infra'],
  ['its build failed', run(step('wheels/x', 'failed', 'product'), step('tests/sail', 'skipped')), 'unbuildable'],
  ['its build had no network', run(step('wheels/x', 'failed', 'infra'), step('tests/sail', 'skipped')), 'infra'],
  ['it could not be planned', { steps: [], problems: [aProblem({ class: 'config' })] }, 'unbuildable'],
  ['a user cancelled it', run(step('tests/sail', 'cancelled')), 'infra'],
])('given a run of which %s, then the try ends accordingly', (_, status, end) => {
  expect(tryOf(status, 'sail').end).toBe(end);
});

test.each<[string, StepStatus[], string]>([
  ['its own variant failed', [step('tests/sail/cp311/linux-x86_64', 'failed', 'product')], 'fail'],
  ['a repeat of it failed', [step('tests/sail/cp311/linux-x86_64/2', 'failed', 'product')], 'fail'],
  [
    'another variant failed',
    [
      step('tests/sail/cp311/linux-x86_64', 'done'),
      step('tests/sail/cp310/linux-x86_64', 'failed', 'product'),
      step('tests/sail/cp311/linux-x86_64/extra', 'failed', 'product'),
    ],
    'pass',
  ],
])('given a bisect of one variant, when %s, then the try ends accordingly', (_, steps, end) => {
  expect(tryOf(run(...steps), 'sail@linux-x86_64@cp311').end).toBe(end);
});

test('given a failed test, then the try reports the code and message of the failure', () => {
  expect(tryOf(run(step('tests/sail', 'failed', 'product')), 'sail').because).toBe(
    'COMMAND_FAILED: make exited with 2',
  );
});
