import { isLater, type KnownCommit } from '../../src/engine/ledger/newest-commit.js';

const commit = (name: string, epoch: number, ancestors: readonly string[] = []): KnownCommit => ({
  commit: name,
  epoch,
  ancestors,
});
const [early, late] = [commit('a', 100), commit('b', 200)];

test.each([
  ['the later time', late, early, true],
  ['the same commit', early, early, false],
  ['a descendant with an earlier clock', commit('c', 50, ['a']), early, true],
  ['an ancestor with a later clock', commit('x', 900), commit('d', 100, ['w', 'x']), false],
  ['one second, by hash', commit('f', 100), early, true],
])('given %s, then at most one of the two commits is later', (_what, one, other, expected) => {
  expect([isLater(one, other), isLater(other, one)]).toEqual([expected, one === other ? false : !expected]);
});
