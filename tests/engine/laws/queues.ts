import fc from 'fast-check';
import { Heap } from '../../../src/engine/run/heap.js';
import { MOST_UNDER_WAY, Windows } from '../../../src/engine/run/windows.js';
import { law } from './law.js';

const sizes = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(20_000), { minKeys: 1 });

export const windows = law({
  id: 'windows',
  says: "given any windows, then their sum is within the server's limit of open activities",
  runs: 100,
  worlds: fc.record({ planned: sizes, slots: sizes }),
  holds: ({ planned, slots }) => {
    const all = new Windows({ steps: [], windows: planned, slots });
    const queues = Object.keys({ ...planned, ...slots });
    const found = queues.map((queue) => all.size(queue));
    expect(Math.min(...found)).toBeGreaterThanOrEqual(1);
    expect(found.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(MOST_UNDER_WAY + queues.length);
  },
});

export const heap = law({
  id: 'heap',
  says: 'given any entries, then the heap returns the earliest first, and equal ones in order of arrival',
  runs: 100,
  worlds: fc.array(fc.integer({ min: 0, max: 20 })),
  holds: (times) => {
    const queue = new Heap<number>();
    times.forEach((at, no) => queue.push(at, no));
    const taken = times.map(() => queue.pop());
    const expected = times.map((at, no) => [at, no] as const).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    expect(taken).toEqual(expected);
    expect([queue.pop(), queue.nextAt]).toEqual([null, null]);
  },
});
