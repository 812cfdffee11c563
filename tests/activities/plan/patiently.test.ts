import { isKilled, patiently } from '../../../src/activities/plan/patiently.js';
import { fail, type Problem } from '../../../src/model/failure.js';

const OUTAGE: Problem = {
  ...{ code: 'INDEX_UNREACHABLE', class: 'infra', service: 'python-index' },
  ...{ message: 'the Python index gave no answer', next: 'Plan again.' },
};

/** Plans fail with these problems, one after the other, then succeed. */
async function planned(...failures: readonly Problem[]) {
  const left = [...failures];
  const told: (string | null)[] = [];
  let pausedMs = 0;
  const plan = async (): Promise<string> => {
    const problem = left.shift();
    if (problem !== undefined) throw fail(problem);
    return 'a plan';
  };
  const pause = async (ms: number): Promise<void> => void (pausedMs += ms);
  const ended = await patiently(plan, { waits: (because) => told.push(because), pause }).catch(
    (error: Error) => error.message,
  );
  return { ended, told, pausedMs };
}

test('given an index that does not answer, then planning says so and waits', async () => {
  expect(await planned(OUTAGE, OUTAGE)).toEqual({
    ended: 'a plan',
    told: [OUTAGE.message, null, OUTAGE.message, null],
    pausedMs: 15_000,
  });
});

test('given an outage that lasts, then the attempt ends before Temporal ends it', async () => {
  const { ended, pausedMs } = await planned(...Array.from({ length: 100 }, () => OUTAGE));
  expect(ended).toContain(OUTAGE.message);
  expect(pausedMs).toBeLessThan(10 * 60_000);
  expect(pausedMs).toBeGreaterThan(7 * 60_000);
});

test.each<[string, Problem]>([
  ['a mistake in the file', { ...OUTAGE, class: 'config' }],
  ['a failure of no service', { code: 'WHEEL_NONE_YET', class: 'infra', message: 'no wheels yet', next: 'Wait.' }],
])('given %s, then planning does not wait', async (_, problem) => {
  expect(await planned(problem)).toEqual({ ended: expect.stringContaining(problem.message), told: [], pausedMs: 0 });
});

test('given a planning process that was ended from outside, then another attempt may help; after a limit it does not', () => {
  const killed: Problem = { code: 'PLANNING_KILLED', class: 'infra', message: 'SIGKILL', next: 'Run it again.' };
  expect(isKilled(fail(killed))).toBe(true);
  for (const other of [fail({ ...killed, code: 'PLANNING_ENDED', class: 'config' }), fail(OUTAGE), new Error('x')])
    expect(isKilled(other)).toBe(false);
});
