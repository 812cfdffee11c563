import { mayBeCalled, namesIn, workflowIdOf, workflowTypeOf, type RunHead } from '../../src/model/ids.js';

const PIPELINE: RunHead = { name: 'night', version: '2026-11-22', rehearsal: true, pipeline: true };
const RELEASE: RunHead = { name: 'skiff', version: '1.0', rehearsal: false };

test.each([
  [RELEASE, 'release', 'release/skiff/1.0'],
  [{ ...RELEASE, rehearsal: true }, 'release', 'rehearsal/skiff/1.0'],
  [PIPELINE, 'pipeline', 'pipeline/night/2026-11-22'],
])('given %j, then it is a %s with the workflow id %s', (head, type, id) => {
  expect([workflowTypeOf(head), workflowIdOf(head)]).toEqual([type, id]);
  expect(mayBeCalled(id, head)).toBe(true);
});

test.each([
  ['pipeline/night/2026-11-22-2026-11-22T02:00:00Z', true],
  ['pipeline/night-2026-11-22T02:00:00Z', true],
  ['pipeline/night', false],
  ['pipeline/day-2026-11-22T02:00:00Z', false],
  ['pipeline/night/2026-11-21-2026-11-22T02:00:00Z', false],
  ['pipeline/night/2026-11-22-later', false],
  ['pipeline/night-2026-13-22T02:00:00Z', false],
  ['pipeline/night-2026-11-22T24:00:00Z', false],
  ['pipeline/night-2026-11-22T02:00:00.5Z', false],
  ['pipeline/night-2026-11-22T02:00:00Z-2026-11-22T02:00:00Z', false],
  ['pipeline/night/2026-11-22/more-2026-11-22T02:00:00Z', false],
])('given the workflow id %s, then a pipeline may have it: %s', (id, may) => {
  expect(mayBeCalled(id, PIPELINE)).toBe(may);
});

test('given a release, when a Schedule appends a time to its id, then it is refused', () => {
  expect(mayBeCalled('release/skiff/1.0-2026-11-22T02:00:00Z', RELEASE)).toBe(false);
});

test.each([
  ['pipeline/night-2026-11-22T02:00:00Z', { kind: 'pipeline', name: 'night', version: '2026-11-22T02:00:00Z' }],
  ['pipeline/night/2026-11-22', { kind: 'pipeline', name: 'night', version: '2026-11-22' }],
  ['pipeline/night', null],
  ['release/skiff-2026-11-22T02:00:00Z', null],
])('given the workflow id %s, then it tells the names of its run', (id, names) => {
  expect(namesIn(id)).toEqual(names);
});
