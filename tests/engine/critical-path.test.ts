import { criticalPath } from '../../src/engine/forecast/critical-path.js';

const step = (id: string, needs: string[] = [], after: string[] = []) => ({ id, needs, wants: [], after });

test('given a diamond of steps, then the critical path is its longest chain, with slack for the other steps', () => {
  const steps = [step('end', ['quick', 'slow']), step('quick', ['source']), step('slow', ['source']), step('source')];
  const times = new Map([
    ['source', 10],
    ['quick', 5],
    ['slow', 50],
    ['end', 1],
  ]);
  expect(criticalPath(steps, times)).toEqual({
    steps: ['source', 'slow', 'end'],
    ms: 61,
    slackMs: new Map([
      ['source', 0],
      ['slow', 0],
      ['quick', 45],
      ['end', 0],
    ]),
  });
});

test('given an edge to a missing step, then it is ignored; given no steps, then the path is empty', () => {
  expect(criticalPath([step('a', ['gone'])], new Map([['a', 3]]))).toMatchObject({ steps: ['a'], ms: 3 });
  expect(criticalPath([], new Map())).toMatchObject({ steps: [], ms: 0 });
});
