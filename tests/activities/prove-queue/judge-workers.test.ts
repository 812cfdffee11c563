import { differingWorkers, judgeWorkers } from '../../../src/activities/prove-queue/judge-workers.js';
import type { Announcement } from '../../../src/model/worker.js';

const announced = (over: Partial<Announcement> = {}): Announcement => ({
  worker: 'gpu@box',
  queue: 'gpu',
  instance: '1',
  host: 'box',
  machine: 'linux-x86_64',
  libc: 'glibc 2.36',
  lookedFor: ['gcc', 'uv'],
  tools: { gcc: '12.2', uv: '0.13' },
  pythons: { cp312: '3.12.1' },
  bare: { cp313: '3.13.0' },
  can: ['host', 'container'],
  slots: 2,
  build: 'b',
  at: '',
  ...over,
});
const seen = (over: Partial<Announcement> = {}) => ({ worker: 'gpu@box', announcement: announced(over) });
const demand = { queue: 'gpu', tools: ['gcc', 'uv'], pythons: ['cp312'], can: ['container' as const], diskMiB: 1 };

test('given a worker with everything, then there is no problem, also for tools that it did not look for', () => {
  expect(judgeWorkers({ ...demand, tools: ['gcc', 'rare'] }, [seen(), seen()])).toEqual([]);
});

test.each([
  ['a tool', { tools: { uv: '0.13' } }, 'lacks gcc'],
  ['a Python', { pythons: {} }, 'lacks Python cp312'],
  ['headers of a Python', { pythons: {}, bare: { cp312: '3.12.1' } }, 'lacks headers of Python cp312'],
  ['an engine', { can: ['host' as const] }, 'lacks containers'],
])('given a worker that lacks %s, then it is named with what to type', (_, over, words) => {
  expect(judgeWorkers(demand, [seen(), seen(over)])).toMatchObject([
    { code: 'WORKER_LACKS', message: expect.stringContaining(words), next: expect.stringContaining('drain gpu@box') },
  ]);
});

test('given a demand for emulation and cross compilers, then workers without them are named', () => {
  const problems = judgeWorkers({ ...demand, can: ['emulated', 'cross'] }, [seen()]);
  expect(problems[0]!.message).toMatch(/emulation .*, a compiler for another machine/);
});

test('given a worker without an announcement here, then it uses another store', () => {
  expect(judgeWorkers(demand, [{ worker: 'gpu@far', announcement: null }])).toMatchObject([
    { code: 'WORKER_HAS_OTHER_STORE', message: expect.stringContaining('gpu@far') },
  ]);
});

test('given workers with other tool versions, then each difference is named', () => {
  const pinned = { gcc: '12.2', uv: '0.14', rare: '1' };
  expect(differingWorkers(pinned, [seen({ worker: 'x' }), seen({ tools: { gcc: '12.2', uv: '0.14' } })])).toEqual([
    { worker: 'gpu@box', why: 'uv 0.13 instead of 0.14' },
  ]);
});
