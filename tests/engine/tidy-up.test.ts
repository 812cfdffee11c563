import { aSkeleton } from './a-skeleton.js';
import { Driven } from './drive.js';

/** A cluster that a test uses, and the step that ends it. */
const clustered = (): Driven =>
  new Driven(
    aSkeleton([
      { id: 'test' },
      { id: 'publish', needs: [0] },
      { id: 'teardown', after: [0] },
      { id: 'report', after: [0, 1, 2] },
    ]),
    { onFailure: 'hold' },
  );

test('when the run is cancelled, then cleanup steps run, and a second cancel does not stop them', () => {
  const it = clustered();
  it.next();
  expect(it.cancel()).toEqual(['abort test']);
  expect(it.failed('test', 'cancelled')).toEqual(['start teardown']);
  expect(it.cancel('really')).toEqual([]);
  expect(it.action({ action: 'cancel', step: 'teardown' })).toEqual(['RUN_IS_CANCELLING']);
  expect(it.done('teardown')).toEqual(['start report']);
  expect(it.done('report')).toEqual(['end cancelled']);
  expect(it.states()).toEqual({ test: 'cancelled', publish: 'cancelled', teardown: 'done', report: 'done' });
});

test('given a step held after a failure, when it is skipped, then the cleanup step starts', () => {
  const it = clustered();
  it.next();
  it.failed('test', 'product');
  expect(it.states()).toMatchObject({ test: 'held', teardown: 'waiting' });
  expect(it.action({ action: 'skip', step: 'test', reason: 'no cluster today' })).toContain('start teardown');
});

test('when a cleanup step fails in a cancelled run, then it is not held and the run ends', () => {
  const it = clustered();
  it.next();
  it.cancel();
  it.failed('test', 'cancelled');
  expect(it.failed('teardown', 'product')).toEqual(['start report']);
  expect(it.done('report')).toEqual(['end cancelled']);
  expect(it.scheduler.ended?.reasons).toEqual(['not today', 'teardown: make exited with 2']);
});

test('given a held cleanup step, when the run is cancelled, then the step has failed', () => {
  const it = clustered();
  it.next();
  it.done('test');
  it.failed('teardown', 'product');
  expect(it.states()).toMatchObject({ teardown: 'held', publish: 'running' });
  it.cancel();
  expect(it.failed('publish', 'cancelled')).toEqual(['start report']);
  expect(it.done('report')).toEqual(['end cancelled']);
});

test('given cleanup steps on an unserved queue, when the run is cancelled again, then it ends without them', () => {
  const it = new Driven(
    aSkeleton(
      [
        { id: 'test' },
        { id: 'teardown', on: 'gpu', after: [0] },
        { id: 'logs', on: 'gpu', after: [0] },
        { id: 'report', after: [0, 1, 2] },
      ],
      { windows: { control: 10, gpu: 1 } },
    ),
    { onFailure: 'hold' },
  );
  it.next();
  it.cancel();
  expect(it.failed('test', 'cancelled')).toEqual(['start teardown']);
  expect(it.action({ action: 'cancel', step: 'teardown' })).toEqual(['RUN_IS_CANCELLING']);
  it.say({ what: 'fleet', unserved: [{ queue: 'gpu', since: it.atMs }], atMs: it.atMs });
  expect(it.action({ action: 'cancel', step: 'report' })).toEqual(['RUN_IS_CANCELLING']);
  expect(it.action({ action: 'skip', step: 'logs', reason: 'the machine is gone' })).toEqual(['logs is left out']);
  const stopped = it.action({ action: 'cancel', step: 'teardown', reason: 'the machine is gone' });
  expect(stopped).toEqual(['abort teardown', 'teardown is being stopped; it has failed afterwards']);
  expect(it.failed('teardown', 'cancelled')).toEqual(['start report']);
  expect(it.done('report')).toEqual(['end cancelled']);
  expect(it.states()).toMatchObject({ teardown: 'failed', logs: 'skipped' });
});
