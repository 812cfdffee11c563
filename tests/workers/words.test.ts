import { workerRecords, type WorkerWord } from '../../src/model/worker.js';
import { createWords } from '../../src/workers/words.js';
import { fakePointers } from '../cli/fake-ports.js';

const WORKER = 'gpu@box';
const never = new AbortController().signal;
const word = (no: number, say: WorkerWord['say']): WorkerWord => ({ no, say, reason: 'why', at: '2026-01-01' });

async function told(...words: readonly WorkerWord[]) {
  const pointers = fakePointers();
  const say = (one: WorkerWord) => pointers.move(workerRecords.word(WORKER), one, () => true);
  for (const one of words) await say(one);
  return { words: createWords(pointers, WORKER), say };
}

test('a word from before the start is over: only a quarantine lasts', async () => {
  const drained = await told(word(1, 'drain'));
  await drained.words.admitted(null, never);
  const away = await told(word(1, 'quarantine'));
  await expect(away.words.admitted(null, never)).rejects.toMatchObject({ problems: [{ code: 'WORKER_QUARANTINED' }] });
  const back = await told(word(1, 'quarantine'), word(2, 'release'));
  await back.words.admitted(null, never);
});

test('the next word to leave is heard; one that lets it come back is none', async () => {
  const { words, say } = await told(word(1, 'drain'));
  await words.admitted(null, never);
  await say(word(2, 'release'));
  const over = new AbortController();
  const heard = words.leave(over.signal);
  await say(word(3, 'drain'));
  expect(await heard).toMatchObject({ no: 3, say: 'drain' });
});

test('one that a supervisor keeps stands by in quarantine, and comes back when it is released', async () => {
  const { words, say } = await told(word(1, 'quarantine'));
  let standsBy: () => void = () => undefined;
  const standing = new Promise<void>((resolve) => (standsBy = resolve));
  const admitted = words.admitted(() => standsBy(), never);
  await standing;
  await say(word(2, 'release'));
  expect(await admitted).toBe(true);
});

test('one that stands by ends when the system asks it to', async () => {
  const { words } = await told(word(1, 'quarantine'));
  const asked = new AbortController();
  expect(await words.admitted(() => asked.abort(), asked.signal)).toBe(false);
});

test('nothing is heard any more once the worker has ended', async () => {
  const { words } = await told();
  await words.admitted(null, never);
  const over = new AbortController();
  const heard = words.leave(over.signal);
  over.abort();
  expect(await heard).toBeNull();
});
