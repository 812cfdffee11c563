import { commitRule, type Origin } from '../../../src/engine/ledger/newest-commit.js';

const at = (revision: string, created: string): Origin => ({ revision: revision.repeat(40), created });
const monday = at('a', '2026-11-16T12:00:00Z');
const tuesday = at('b', '2026-11-17T12:00:00Z');

test.each([
  ['nothing there yet', monday, 'nothing', true],
  ['a later commit', tuesday, monday, true],
  ['an earlier commit', monday, tuesday, false],
  ['the same commit, built again', monday, monday, true],
  ['two commits of one second', at('a', monday.created), at('c', monday.created), false],
  ['the same two commits, swapped', at('c', monday.created), at('a', monday.created), true],
  ['an image without a commit', null, monday, false],
  ['a pointer to an image without a commit', monday, null, false],
  ['an invalid time', at('a', 'yesterday'), monday, false],
] as const)('given %s, then the pointer moves or stays accordingly', (_, ours, now, moves) => {
  expect(commitRule(ours, now).moves).toBe(moves);
});
