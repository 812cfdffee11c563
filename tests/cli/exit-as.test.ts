import { exitAs, exitListIn, type ExitList } from '../../src/cli/exit-as.js';
import type { FailureClass, SlipwayFailure } from '../../src/model/failure.js';
import type { RunStatus, StepStatus } from '../../src/model/messages.js';
import type { JsonObject } from '../../src/model/json.js';

const MINUTE_MS = 60_000;

/** A step that ended with a failure of a class and, for a test on a cluster, with Ray's number. */
function failed(kind: FailureClass, ray?: number, state: StepStatus['state'] = 'failed', code = 'X'): StepStatus {
  const details: JsonObject = ray === undefined ? {} : { ray };
  return {
    kind: null,
    state,
    problems: [{ code, class: kind, message: '', next: '', details }],
  } as unknown as StepStatus;
}
const image = (step: StepStatus): StepStatus => ({ ...step, kind: 'buildImage' });
const done = { state: 'done' } as StepStatus;

const ended = (steps: readonly StepStatus[], minutes = 60): RunStatus =>
  ({ steps, startedAt: 0, endedAt: minutes * MINUTE_MS }) as unknown as RunStatus;

test.each<[string, ExitList, readonly StepStatus[], number, number]>([
  ['one test that failed', 'ray', [done, failed('product', 40)], 60, 40],
  ['missing nodes and a failed test', 'ray', [failed('infra', 33), failed('product', 40)], 60, 40],
  ['two failures of the product', 'ray', [failed('product', 40), failed('product', 42)], 60, 42],
  ['missing nodes and a wrong setting', 'ray', [failed('infra', 33), failed('config', 11)], 60, 11],
  ['a step that is no such test', 'ray', [failed('product')], 60, 1],
  ['a test that is held', 'ray', [failed('product', 41, 'held')], 60, 41],
  ['missing nodes, for Buildkite', 'buildkite', [failed('infra', 33)], 180, 79],
  ['missing nodes after more than 3 hours', 'buildkite', [failed('infra', 33)], 181, 33],
  ['a lost worker', 'buildkite', [failed('lost')], 60, 79],
  ['a test whose worker was lost', 'ray', [{ ...failed('lost'), kind: 'runOnCluster' }], 60, 19],
  ['an image that was not built', 'ray', [image(failed('product'))], 60, 14],
  [
    'an image whose build reached its limit',
    'ray',
    [image(failed('product', undefined, 'held', 'LIMIT_REACHED'))],
    60,
    31,
  ],
  ['an image that was not built and a failed test', 'ray', [image(failed('product')), failed('product', 40)], 60, 40],
  ['a failed test, for Buildkite', 'buildkite', [failed('product', 40), failed('infra', 33)], 60, 40],
])('given %s, then --exit-as %s ends with its number', (_, list, steps, minutes, code) => {
  expect(exitAs(list, ended(steps, minutes), 1)).toBe(code);
});

test('given a run that reached its end, or a cancelled one without a failed step, then its own code stays', () => {
  expect(exitAs('buildkite', ended([failed('infra', 33)]), 0)).toBe(0);
  expect(exitAs('ray', ended([done]), 3)).toBe(3);
});

test.each([
  [{}, null],
  [{ exitAs: 'ray' }, 'ray'],
  [{ exitAs: 'jenkins' }, 'NOT_AN_EXIT_LIST'],
  [{ exitAs: 'ray', wait: false }, 'EXIT_AS_NOTHING'],
])('given the options %j, then the list is %s', (options, expected) => {
  const found = (): string | null => {
    try {
      return exitListIn(options);
    } catch (error) {
      return (error as SlipwayFailure).first.code;
    }
  };
  expect(found()).toBe(expected);
});
