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
  return { actions: createWorkerActions(pointers, WORKER, 10), say };
}

test('given an action from before the start, then only a quarantine still applies', async () => {
  const drained = await told(record(1, 'drain'));
  await drained.actions.admitted(null, never);
  const away = await told(record(1, 'quarantine'));
  await expect(away.actions.admitted(null, never)).rejects.toMatchObject({
    problems: [{ code: 'WORKER_QUARANTINED' }],
  });
  const back = await told(record(1, 'quarantine'), record(2, 'release'));
  await back.actions.admitted(null, never);
});

test('given a running worker, then the next drain applies, and a release is ignored', async () => {
  const { actions, say } = await told(record(1, 'drain'));
  await actions.admitted(null, never);
  await say(record(2, 'release'));
  const over = new AbortController();
  const heard = actions.leave(over.signal);
  await say(record(3, 'drain'));
  expect(await heard).toMatchObject({ no: 3, action: 'drain' });
});

test('given a supervised worker in quarantine, then it stands by until it is released', async () => {
  const { actions, say } = await told(record(1, 'quarantine'));
  let standsBy: () => void = () => undefined;
  const standing = new Promise<void>((resolve) => (standsBy = resolve));
  const admitted = actions.admitted(() => standsBy(), never);
  await standing;
  await say(record(2, 'release'));
  expect(await admitted).toBe(true);
});

test('given a worker that stands by, when the system stops it, then it ends', async () => {
  const { actions } = await told(record(1, 'quarantine'));
  const asked = new AbortController();
  expect(await actions.admitted(() => asked.abort(), asked.signal)).toBe(false);
});

test('given a worker that ended, then later actions are not read', async () => {
  const { actions } = await told();
  await actions.admitted(null, never);
  const over = new AbortController();
  const heard = actions.leave(over.signal);
  over.abort();
  expect(await heard).toBeNull();
});
