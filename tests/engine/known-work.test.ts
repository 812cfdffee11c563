import { CACHE_LOOKUP } from '../../src/model/reuse.js';
import { aProblem, aSkeleton } from './a-skeleton.js';
import { Driven } from './drive.js';

const PROVEN = aSkeleton(
  [
    { id: 'prove/control', kind: 'proveQueue', stage: 'prove' },
    { id: 'a', needs: [0] },
    { id: 'b', needs: [0] },
    { id: 'tidy', after: [1, 2], kind: 'writeReport', stage: 'report' },
  ],
  { reuse: true },
);

const walks = (run: Driven) => run.commands.filter((command) => command.do === 'look up');

test('given steps that became ready during a pause, when the run is resumed, then all but the skipped ones are looked up', () => {
  const run = new Driven(PROVEN);
  run.next();
  run.action({ action: 'pause', reason: 'lunch' });
  run.done('prove/control');
  run.action({ action: 'skip', step: 'a', reason: 'not today' });
  expect(walks(run)).toEqual([]);
  run.action({ action: 'resume', reason: 'back' });
  expect(walks(run)).toMatchObject([{ step: CACHE_LOOKUP, from: [2] }]);
});

test('given a paused run, when it is cancelled, then no results are looked up', () => {
  const run = new Driven(PROVEN);
  run.next();
  run.action({ action: 'pause', reason: 'lunch' });
  run.done('prove/control');
  run.cancel();
  expect(walks(run)).toEqual([]);
});

test('when two lookups fail, then each step looks up its own result', () => {
  const run = new Driven(aSkeleton([{ id: 'a' }, { id: 'b', needs: [0] }, { id: 'c', needs: [1] }], { reuse: true }));
  const lost = (attempt: number) =>
    run.say({
      ...{ what: 'ended', step: CACHE_LOOKUP, attempt, atMs: run.atMs },
      ending: { outcome: 'failed', problems: [aProblem({ class: 'lost' })] },
    });
  run.next();
  expect(lost(1)).toContain('start a');
  run.done('a', 'cached');
  expect(lost(2)).toContain('start b');
  expect(run.done('b', 'cached')).toContain('start c');
  expect(walks(run)).toHaveLength(2);
});
