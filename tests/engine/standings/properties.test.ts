import { fold, noStandings } from '../../../src/engine/standings/fold.js';
import { proven } from '../../../src/engine/standings/letters.js';
import { STANDING_NAMES, type Letter, type Standings } from '../../../src/model/tests/standing.js';
import { fc } from '../../support/fixed-seed.js';
import { aNight, aTest, after, CHAIN, POLICY } from './a-night.js';

const letter = fc.constantFrom<Letter>('P', 'P', 'F', 'F', 'p', 'I', 'S');
const lettersOf = (maxLength: number) => fc.array(letter, { maxLength }).map((all) => all.join(''));
const nights = fc.array(fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), letter), { minLength: 1, maxLength: 20 });

const folded = (all: readonly Readonly<Record<string, Letter>>[], order = (names: string[]) => names): Standings =>
  all.reduce((last, tests, at) => {
    const rows = order(Object.keys(tests)).map((name) => [name, aTest(tests[name]!)] as const);
    return fold(last, aNight(at + 1, Object.fromEntries(rows)), [], POLICY);
  }, noStandings(CHAIN));

test('given a night of infrastructure failures, then no test changes its state, unless a jail ends', () => {
  fc.assert(
    fc.property(lettersOf(40), fc.constantFrom('I', 'S'), (letters, nothing) => {
      const [before, later] = [after(letters), after(`${letters}${nothing}`)];
      const test = before.tests['t'];
      if (test === undefined || later.moves.some(({ because }) => because === 'its jail is over')) return;
      expect(later.tests['t']?.state).toBe(test.state);
      expect(later.moves).toEqual([]);
    }),
  );
});

test('when the same night is folded twice, then the result is the same as once', () => {
  fc.assert(
    fc.property(nights, (all) => {
      const once = folded(all);
      const last = aNight(all.length, { a: aTest('F'), new: aTest('P') });
      expect(fold(once, last, [], POLICY)).toBe(once);
    }),
  );
});

test('given the tests of a night in any order, then the result is the same', () => {
  fc.assert(
    fc.property(nights, (all) => {
      expect(JSON.stringify(folded(all, (names) => names.toReversed()))).toBe(JSON.stringify(folded(all)));
    }),
  );
});

test('given other tests, then the standing of a test does not depend on them', () => {
  fc.assert(
    fc.property(nights, (all) => {
      const alone = folded(all.map(({ a }): Record<string, Letter> => (a === undefined ? {} : { a })));
      expect(folded(all).tests['a']).toEqual(alone.tests['a']);
    }),
  );
});

test('given any night, then each test changes state at most once, and never to the state it had', () => {
  fc.assert(
    fc.property(nights, (all) => {
      const { moves } = folded(all);
      expect(new Set(moves.map(({ test }) => test)).size).toBe(moves.length);
      for (const { from, to } of moves) expect(from).not.toBe(to);
    }),
  );
});

test('given any nights, then a jailed test has an owner and an end, and a last pass never leaves a test failing', () => {
  fc.assert(
    fc.property(lettersOf(60), (letters) => {
      const test = after(letters).tests['t'];
      if (test === undefined) return;
      expect(test.jail !== null).toBe(test.state === 'jailed');
      if (proven(test.letters, false).endsWith('P')) expect(['passing', 'flaky']).toContain(test.state);
    }),
  );
});

test('given random nights, then every state is reached from every other', () => {
  const reached = new Map(STANDING_NAMES.map((name) => [name, new Set<string>()]));
  const draws = fc.sample(fc.array(letter, { minLength: 60, maxLength: 60 }), { numRuns: 200 });
  for (const letters of draws) {
    const seen = letters.reduce<{ last: Standings; states: string[] }>(
      ({ last, states }, one) => {
        const next = after(one, { from: last });
        const state = next.tests['t']?.state;
        return { last: next, states: state === undefined ? states : [...states, state] };
      },
      { last: noStandings(CHAIN), states: [] },
    ).states;
    for (const [at, state] of seen.entries())
      for (const later of seen.slice(at + 1)) reached.get(state as (typeof STANDING_NAMES)[number])!.add(later);
  }
  for (const name of STANDING_NAMES) expect([name, reached.get(name)!.size]).toEqual([name, STANDING_NAMES.length]);
});
