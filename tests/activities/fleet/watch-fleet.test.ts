import { GRACE_MS, watchFleet } from '../../../src/activities/fleet/watch-fleet.js';

/** Looks that take no time: each pause moves the clock on. `seen` is what is served at each look; null: no answer. */
function watching(seen: readonly (readonly string[] | null)[], unserved: readonly { queue: string; since: number }[]) {
  const left = [...seen];
  const over = new AbortController();
  let nowMs = 1_000_000;
  const muster = {
    served: async () => {
      const now = left.shift();
      if (now === undefined) over.abort(new Error('nothing changed'));
      if (now === null || now === undefined) throw new Error('the server is away');
      return new Set(now);
    },
  };
  const pause = async (ms: number): Promise<void> => void (nowMs += ms);
  return watchFleet(muster, { queues: ['a', 'b'], unserved }, { signal: over.signal, now: () => nowMs, pause });
}
const BOTH = ['a', 'b'];
const LOOKS = GRACE_MS / 2000 + 1;
const times = <T>(count: number, one: T): readonly T[] => Array.from({ length: count }, () => one);

test('a queue without anybody for longer than a new start takes is told, with when it was served last', async () => {
  expect(await watching([BOTH, ...times(LOOKS, ['a'])], [])).toEqual([{ queue: 'b', since: 1_000_000 }]);
});

test('a worker that is started anew alarms nobody', async () => {
  const pause = times(LOOKS - 1, ['a']);
  await expect(watching([BOTH, ...pause, BOTH, ...pause, BOTH], [])).rejects.toThrow('nothing changed');
});

test('a queue that is served again is told at once; one that is still not keeps its time', async () => {
  const unserved = [
    { queue: 'a', since: 5 },
    { queue: 'b', since: 7 },
  ];
  expect(await watching([[], ['b']], unserved)).toEqual([{ queue: 'a', since: 5 }]);
});

test('a server that does not answer tells nothing about workers', async () => {
  await expect(watching([BOTH, ...times(20, null)], [])).rejects.toThrow('nothing changed');
  await expect(watching(times(20, null), [{ queue: 'b', since: 7 }])).rejects.toThrow('nothing changed');
});
