import { workerRecords, type WorkerRecord } from '../../src/model/worker.js';
import { createWorkerActions } from '../../src/workers/worker-actions.js';
import { fakePointers } from '../cli/fake-ports.js';

const WORKER = 'gpu@box';
const never = new AbortController().signal;
const record = (no: number, action: WorkerRecord['action']): WorkerRecord => ({
  no,
  action,
  reason: 'why',
  at: '2026-01-01',
});

async function told(...records: readonly WorkerRecord[]) {
  const pointers = fakePointers();
  const say = (one: WorkerRecord) => pointers.move(workerRecords.action(WORKER), one, () => true);
  for (const one of records) await say(one);
  return { actions: createWorkerActions(pointers, WORKER), say };
}

test('an action from before the start is over: only a quarantine lasts', async () => {
  const drained = await told(record(1, 'drain'));
  await drained.actions.admitted(null, never);
  const away = await told(record(1, 'quarantine'));
  await expect(away.actions.admitted(null, never)).rejects.toMatchObject({
    problems: [{ code: 'WORKER_QUARANTINED' }],
  });
  const back = await told(record(1, 'quarantine'), record(2, 'release'));
  await back.actions.admitted(null, never);
});

test('the next action that stops it is taken; one that lets it come back is none', async () => {
  const { actions, say } = await told(record(1, 'drain'));
  await actions.admitted(null, never);
  await say(record(2, 'release'));
  const over = new AbortController();
  const heard = actions.leave(over.signal);
  await say(record(3, 'drain'));
  expect(await heard).toMatchObject({ no: 3, action: 'drain' });
});

test('one that a supervisor keeps stands by in quarantine, and comes back when it is released', async () => {
  const { actions, say } = await told(record(1, 'quarantine'));
  let standsBy: () => void = () => undefined;
  const standing = new Promise<void>((resolve) => (standsBy = resolve));
  const admitted = actions.admitted(() => standsBy(), never);
  await standing;
  await say(record(2, 'release'));
  expect(await admitted).toBe(true);
});

test('one that stands by ends when the system asks it to', async () => {
  const { actions } = await told(record(1, 'quarantine'));
  const asked = new AbortController();
  expect(await actions.admitted(() => asked.abort(), asked.signal)).toBe(false);
});

test('nothing is heard any more once the worker has ended', async () => {
  const { actions } = await told();
  await actions.admitted(null, never);
  const over = new AbortController();
  const heard = actions.leave(over.signal);
  over.abort();
  expect(await heard).toBeNull();
});
