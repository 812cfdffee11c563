import { RetryBudget } from '../../src/engine/run/retry-budget.js';
import type { Problem } from '../../src/model/failure.js';
import { aProblem, aSkeleton } from './a-skeleton.js';
import { Driven } from './drive.js';

const matrix = (count: number, retries?: number) =>
  aSkeleton(
    Array.from({ length: count }, (_, at) => ({ id: `tests/${at}` })),
    { windows: { control: count }, ...(retries !== undefined && { retries }) },
  );
const stateOf = (driven: Driven, id: string) => driven.scheduler.status().find((step) => step.id === id)!;

describe('the retry budget of a whole run', () => {
  test('when it is used up, then a step with retries left is held with that reason', () => {
    const driven = new Driven(matrix(4, 3), { onFailure: 'hold' });
    driven.next();
    for (const at of [0, 1, 2, 3]) driven.failed(`tests/${at}`, 'infra');
    expect([0, 1, 2, 3].map((at) => stateOf(driven, `tests/${at}`).state)).toEqual([
      ...Array(3).fill('backing off'),
      'held',
    ]);
    expect(stateOf(driven, 'tests/3').because).toMatch(/used up the 3 further tries of all its steps .*retry\.total/);
  });

  test('when an operator retries, then it is full again; other actions do not refill it', () => {
    const driven = new Driven(matrix(2, 1), { onFailure: 'hold' });
    driven.next();
    driven.failed('tests/0', 'infra');
    driven.action({ action: 'note', reason: 'x' });
    driven.action({ action: 'pause' });
    driven.action({ action: 'resume' });
    driven.failed('tests/1', 'lost');
    expect(stateOf(driven, 'tests/1').state).toBe('held');
    driven.action({ action: 'retry', step: 'tests/1' });
    driven.next();
    driven.failed('tests/1', 'infra');
    expect(stateOf(driven, 'tests/1').state).toBe('backing off');
  });

  test('when a failure is not retried, then it takes nothing from the budget', () => {
    const driven = new Driven(matrix(3, 1), { onFailure: 'hold' });
    driven.next();
    driven.failed('tests/0', 'product');
    driven.failed('tests/1', 'infra');
    expect(stateOf(driven, 'tests/0').because).toBeUndefined();
    expect(stateOf(driven, 'tests/1').state).toBe('backing off');
  });

  test('given a run with --on-hold fail, when it is used up, then steps have failed', () => {
    const driven = new Driven(matrix(1, 0), { onFailure: 'fail' });
    driven.next();
    driven.failed('tests/0', 'infra');
    expect(stateOf(driven, 'tests/0')).toMatchObject({ state: 'failed', because: expect.stringContaining('used up') });
  });

  test.each([
    [5, 100],
    [10_000, 1100],
  ])('given %i steps, then it is %i by default', (steps, total) => {
    const tries = new RetryBudget(steps);
    const taken = Array.from({ length: total + 1 }, () => tries.take());
    expect(taken.findIndex((why) => why !== null)).toBe(total);
    expect(JSON.parse(JSON.stringify(tries.state))).toEqual(tries.state);
  });
});

describe('a worker that loses attempts', () => {
  const lost = (worker: string): Problem =>
    aProblem({ code: 'WORKER_LOST', class: 'lost', details: { worker }, next: 'Look for what ended it.' });

  test('when it loses three attempts of any steps, then the third failure names it', () => {
    const driven = new Driven(matrix(4), { onFailure: 'hold' });
    driven.next();
    const end = (at: number, worker: string) =>
      driven.ended(`tests/${at}`, { outcome: 'failed', problems: [lost(worker)] });
    end(0, 'gpu@box-1');
    end(1, 'gpu@box-1');
    end(2, 'gpu@box-2');
    for (const id of ['tests/1', 'tests/2'])
      expect(stateOf(driven, id).problems![0]!.next).toBe('Look for what ended it.');
    end(3, 'gpu@box-1');
    expect(stateOf(driven, 'tests/3').problems![0]).toMatchObject({
      next: expect.stringMatching(
        /^gpu@box-1 has lost 3 attempts of this run: `slipway worker quarantine gpu@box-1`.*Look/,
      ),
      details: { lostThere: 3 },
    });
  });
});

describe('a runner that is killed', () => {
  const problems = [aProblem({ code: 'RUNNER_LOST', class: 'lost' })];
  const lose = (driven: Driven, id: string): void => void driven.ended(id, { outcome: 'failed', problems });

  test('given its steps, then neither they nor the run lose a retry', () => {
    const driven = new Driven(matrix(4, 0), { onFailure: 'hold' });
    driven.next();
    for (const at of [0, 1, 2, 3]) lose(driven, `tests/${at}`);
    expect([0, 1, 2, 3].map((at) => stateOf(driven, `tests/${at}`).state)).toEqual(Array(4).fill('backing off'));
    expect(driven.scheduler.status()[0]!.because).toMatch(/was killed, .* again 1 of 5$/);
  });

  test('given one step, then it still has all its own retries', () => {
    const until = (losses: number): number => {
      const driven = new Driven(matrix(1), { onFailure: 'hold' });
      driven.next();
      for (let at = 0; at < losses; at++) again(driven, () => lose(driven, 'tests/0'));
      let tries = 0;
      for (; stateOf(driven, 'tests/0').state !== 'held'; tries++)
        again(driven, () => driven.failed('tests/0', 'lost'));
      return tries;
    };
    expect(until(0)).toBeGreaterThan(1);
    expect(until(4)).toBe(until(0));
  });

  test("when it happens often to one step, then the step is held, and an operator's retry allows the same number again", () => {
    const driven = new Driven(matrix(1), { onFailure: 'hold' });
    driven.next();
    const count = (): number => {
      let times = 0;
      for (; stateOf(driven, 'tests/0').state !== 'held'; times++) again(driven, () => lose(driven, 'tests/0'));
      return times;
    };
    expect(count()).toBe(6);
    driven.action({ action: 'retry', step: 'tests/0' });
    driven.next();
    expect(count()).toBe(6);
  });
});

describe('a worker with other tools that refuses a step', () => {
  const problems = [aProblem({ code: 'TOOLCHAIN_DIFFERS', class: 'infra' })];

  test("when it refuses again, then the step is retried for a quarter of an hour, and as often after an operator's retry", () => {
    const driven = new Driven(matrix(1), { onFailure: 'hold' });
    driven.next();
    const count = (): number => {
      let times = 0;
      for (; stateOf(driven, 'tests/0').state !== 'held'; times++)
        again(driven, () => driven.ended('tests/0', { outcome: 'failed', problems }));
      return times;
    };
    expect(count()).toBe(61);
    driven.action({ action: 'retry', step: 'tests/0' });
    driven.next();
    expect(count()).toBe(61);
  });
});

/** An ending, and the attempt after it where there is one. */
function again(driven: Driven, end: () => void): void {
  end();
  const { state } = stateOf(driven, 'tests/0');
  if (state === 'backing off') driven.say({ what: 'wake', atMs: (driven.atMs += 3_600_000) });
  expect(['running', 'held']).toContain(stateOf(driven, 'tests/0').state);
}

describe('an attempt that several workers began', () => {
  const lost = [{ worker: 'mac@one', atMs: 5 }];

  test('counts once for each worker in the status, and once for the retries', () => {
    const driven = new Driven(matrix(1), { onFailure: 'hold' });
    driven.next();
    driven.ended('tests/0', { outcome: 'failed', problems: [aProblem({ class: 'infra', details: { lost } })] });
    expect(stateOf(driven, 'tests/0')).toMatchObject({ state: 'backing off', attempt: 2, lost });
    driven.say({ what: 'wake', atMs: (driven.atMs += 3_600_000) });
    driven.ended('tests/0', { outcome: 'done', ms: 1, note: '', lost });
    expect(stateOf(driven, 'tests/0')).toMatchObject({ state: 'done', attempt: 4, lost: [...lost, ...lost] });
  });

  test('given details of a problem that are no list of workers, then they are ignored', () => {
    const driven = new Driven(matrix(1), { onFailure: 'hold' });
    driven.next();
    driven.ended('tests/0', { outcome: 'failed', problems: [aProblem({ class: 'infra', details: { lost: ['x'] } })] });
    expect(stateOf(driven, 'tests/0').lost).toBeUndefined();
  });
});
