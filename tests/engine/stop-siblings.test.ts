import { aSkeleton } from './a-skeleton.js';
import { Driven } from './drive.js';

/** A test in three variants, a step that needs the second, and one that cleans up after all of them. The third variant
 * waits for another test. */
const sailing = (retries = 0): Driven =>
  new Driven(
    aSkeleton(
      [
        ...['cp310', 'cp311', 'cp312'].map((python) => ({
          id: `tests/sail/${python}`,
          needs: python === 'cp312' ? [3] : [],
          onFailure: 'stop' as const,
          retry: {
            ...{ infra: { times: 0, waitMs: 0, atMostMs: 0 }, lost: { times: 0, waitMs: 0, atMostMs: 0 } },
            ...(retries > 0 && { product: { times: retries, waitMs: 0, atMostMs: 0 } }),
          },
        })),
        { id: 'tests/row' },
        { id: 'steps/ship', needs: [1] },
        { id: 'steps/clean', after: [0, 1, 2, 3, 4] },
      ],
      { windows: { control: 10 } },
    ),
    { onFailure: 'hold' },
  );
const STOPPED = 'tests/sail/cp310 failed, and its entry says onFailure: stop';

const started = (retries = 0): Driven => {
  const it = sailing(retries);
  it.next();
  return it;
};

test('given onFailure: stop, when one variant fails, then running siblings are aborted and other entries go on', () => {
  const it = started();
  expect(it.failed('tests/sail/cp310', 'product')).toContain('abort tests/sail/cp311');
  expect(it.states()).toMatchObject({
    ...{ 'tests/sail/cp310': 'failed', 'tests/sail/cp311': 'running' },
    ...{ 'tests/sail/cp312': 'cancelled', 'tests/row': 'running' },
  });
  it.failed('tests/sail/cp311', 'cancelled');
  it.done('tests/row');
  expect(it.states()).toMatchObject({ 'tests/sail/cp311': 'cancelled', 'steps/ship': 'skipped' });
});

test('given a sibling was stopped, when all variants have ended, then steps with `after` run and the verdict names both', () => {
  const it = started();
  it.failed('tests/sail/cp310', 'product');
  it.done('tests/row');
  expect(it.failed('tests/sail/cp311', 'cancelled')).toEqual(['start steps/clean']);
  expect(it.done('steps/clean')).toEqual(['end failed']);
  expect(it.scheduler.ended?.reasons).toEqual([
    'tests/sail/cp310: make exited with 2',
    `tests/sail/cp311 was stopped: ${STOPPED}`,
    `tests/sail/cp312 was stopped: ${STOPPED}`,
  ]);
});

test.each([
  ['passes all the same', 'done'],
  ['fails by itself', 'failed'],
] as const)('given a sibling is being stopped, when it %s, then its own outcome counts', (_, outcome) => {
  const it = started();
  it.failed('tests/sail/cp310', 'product');
  if (outcome === 'done') it.done('tests/sail/cp311');
  else it.failed('tests/sail/cp311', 'product');
  expect(it.states()).toMatchObject({ 'tests/sail/cp311': outcome });
});

test('given a sibling would be retried, when it fails while it is stopped, then it is not retried', () => {
  const it = started(1);
  it.failed('tests/sail/cp310', 'product');
  expect(it.states()).toMatchObject({ 'tests/sail/cp310': 'running', 'tests/sail/cp311': 'running' });
  it.failed('tests/sail/cp310', 'product');
  it.failed('tests/sail/cp311', 'product');
  expect(it.states()).toMatchObject({ 'tests/sail/cp310': 'failed', 'tests/sail/cp311': 'failed' });
});

test('given a sibling was stopped, when it is retried by name, then it runs again', () => {
  const it = started();
  it.failed('tests/sail/cp310', 'product');
  it.failed('tests/sail/cp311', 'cancelled');
  expect(it.action({ action: 'retry', from: 'tests/sail/cp311' })).toContain('start tests/sail/cp311');
  it.done('tests/sail/cp311');
  expect(it.states()).toMatchObject({ 'tests/sail/cp311': 'done' });
});

test('given the run continues as new, when a sibling failed before, then the stopped steps stay stopped', () => {
  const it = started();
  it.failed('tests/sail/cp310', 'product');
  it.failed('tests/sail/cp311', 'cancelled');
  const [, [, stopped]] = it.scheduler.snapshot().steps as [unknown, [number, object]];
  expect(stopped).toMatchObject({ state: 'cancelled', stoppedBy: 0 });
});
