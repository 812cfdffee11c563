import fc from 'fast-check';
import { decideBisect, type BisectQuestion, places } from '../../../src/engine/bisect/decide.js';
import { repeatsFor } from '../../../src/engine/bisect/tries.js';
import type { BisectAnswer, Try } from '../../../src/model/bisect.js';

interface Played {
  readonly answer: BisectAnswer;
  /** Rounds between the ends. */
  readonly rounds: number;
  readonly tries: ReadonlyMap<number, readonly Try[]>;
}

/** Plays a bisect to its end. @param of the end of the nth try of a commit */
function play(question: BisectQuestion, of: (commit: number, nth: number) => Try): Played {
  const tries = new Map<number, readonly Try[]>();
  let rounds = 0;
  for (let step = 0; step < 500; step++) {
    const decided = decideBisect(question, tries);
    if (decided.next === 'end') return { answer: decided.answer, rounds, tries };
    if (decided.ask.some(({ commit }) => commit > 0 && commit < question.commits - 1)) rounds++;
    for (const { commit, times } of decided.ask) {
      const before = tries.get(commit) ?? [];
      expect(times).toBeGreaterThan(0);
      tries.set(commit, [...before, ...Array.from({ length: times }, (_, n) => of(commit, before.length + n))]);
    }
  }
  throw new Error('it does not end');
}

const sinceCommit =
  (first: number) =>
  (commit: number): Try =>
    commit >= first ? 'fail' : 'pass';

test('given 24 commits and three parallel tries, then the first bad commit is found within three rounds', () => {
  for (let first = 1; first < 24; first++) {
    const { answer, rounds } = play({ commits: 24, ways: 3 }, sinceCommit(first));
    expect(answer).toEqual({ answer: 'blamed', commit: first, repeats: 1 });
    expect(rounds).toBeLessThanOrEqual(3);
  }
});

test('given any history with one bad commit and commits that cannot be built, then the answer includes the bad commit', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 80 }).chain((commits) =>
        fc.record({
          commits: fc.constant(commits),
          ways: fc.integer({ min: 1, max: 6 }),
          first: fc.integer({ min: 1, max: commits - 1 }),
          broken: fc.uniqueArray(
            fc.record({
              commit: fc.integer({ min: 1, max: commits }),
              as: fc.constantFrom<Try>('unbuildable', 'infra'),
            }),
            {
              selector: ({ commit }) => commit,
            },
          ),
        }),
      ),
      ({ commits, ways, first, broken }) => {
        const bad = new Map(broken.filter(({ commit }) => commit < commits - 1).map(({ commit, as }) => [commit, as]));
        const { answer } = play({ commits, ways }, (commit) => bad.get(commit) ?? sinceCommit(first)(commit));
        if (answer.answer === 'blamed') expect(answer.commit).toBe(first);
        else if (answer.answer === 'span') {
          expect(answer.from).toBeLessThan(first);
          expect(answer.to).toBeGreaterThanOrEqual(first);
          for (let commit = answer.from + 1; commit < answer.to; commit++) expect(bad.has(commit)).toBe(true);
        } else throw new Error(answer.answer);
      },
    ),
    { seed: 15, numRuns: 500 },
  );
});

test('given a fault that shows in every second try, then the bad commit is found by repeats', () => {
  const { answer, tries } = play({ commits: 24, ways: 3 }, (commit, nth) =>
    commit >= 17 && nth % 2 === 0 ? 'fail' : 'pass',
  );
  expect(answer).toEqual({ answer: 'blamed', commit: 17, repeats: repeatsFor(3 / 5) });
  expect(tries.get(16)).toHaveLength(repeatsFor(3 / 5));
});

test.each<[string, (commit: number, nth: number) => Try, BisectAnswer]>([
  ['the good end fails', () => 'fail', { answer: 'fails at the good end' }],
  ['the bad end passes ten times', () => 'pass', { answer: 'passes at the bad end' }],
  [
    'the bad end cannot be built',
    (commit) => (commit === 9 ? 'unbuildable' : 'pass'),
    { answer: 'cannot be tried', commit: 9 },
  ],
  [
    'the good end has no cluster three times',
    (commit) => (commit === 0 ? 'infra' : 'fail'),
    { answer: 'cannot be tried', commit: 0 },
  ],
  [
    'the test passed again for a while',
    (commit) => (commit >= 3 && commit !== 6 ? 'fail' : 'pass'),
    { answer: 'not monotone', from: 2, to: 6, repeats: 2 },
  ],
])('given that %s, then the bisect ends with that answer', (_, of, answer) => {
  expect(play({ commits: 10, ways: 3 }, of).answer).toEqual(answer);
});

test('given a try that ended with an infrastructure failure, then the same commit is tried again', () => {
  const { answer, tries } = play({ commits: 4, ways: 3 }, (commit, nth) =>
    commit === 2 && nth === 0 ? 'infra' : sinceCommit(2)(commit),
  );
  expect(answer).toEqual({ answer: 'blamed', commit: 2, repeats: 1 });
  expect(tries.get(2)).toEqual(['infra', 'fail']);
});

test('given any range of commits, then the chosen commits lie strictly between its ends, without duplicates', () => {
  fc.assert(
    fc.property(
      fc.nat(50),
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.nat(100)),
      (low, length, ways, not) => {
        const chosen = places(low, low + length, ways, (commit) => !not.includes(commit));
        expect(new Set(chosen).size).toBe(chosen.length);
        for (const one of chosen) expect(one > low && one < low + length && !not.includes(one)).toBe(true);
      },
    ),
    { seed: 15 },
  );
});

test.each([
  [1, 1],
  [0.9, 2],
  [0.5, 5],
  [0.3, 9],
  [0.1, 10],
])('given a failure rate of %d, then a commit must pass %d times to count as good', (share, repeats) => {
  expect(repeatsFor(share)).toBe(repeats);
});
