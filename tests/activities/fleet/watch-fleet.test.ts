import { GONE_MS } from '../../../src/activities/fleet/slots-seen.js';
import { GRACE_MS, watchFleet } from '../../../src/activities/fleet/watch-fleet.js';
import type { FleetSeen, Slots } from '../../../src/model/worker.js';

/** Looks that take no time: each pause moves the clock on. `seen` is what is served at each look; null: no answer. */
function watching(
  seen: readonly (readonly string[] | Slots | null)[],
  unserved: readonly { queue: string; since: number }[],
  slots: Slots = {},
  jumpMs: (look: number) => number = () => 0,
) {
  const left = [...seen];
  const over = new AbortController();
  let nowMs = 1_000_000;
  const muster = {
    look: async () => {
      const now = left.shift();
      if (now === undefined) over.abort(new Error('nothing changed'));
      if (now === null || now === undefined) throw new Error('the server is away');
      if (Array.isArray(now)) return { served: new Set<string>(now), slots: {} };
      return { served: new Set(Object.keys(now)), slots: now as Slots };
    },
  };
  let looks = 0;
  const pause = async (ms: number): Promise<void> => void (nowMs += ms + jumpMs(++looks));
  return watchFleet(muster, { queues: ['a', 'b'], unserved, slots }, { signal: over.signal, now: () => nowMs, pause });
}
const BOTH = ['a', 'b'];
const LOOKS = GRACE_MS / 2000 + 1;
const times = <T>(count: number, one: T): readonly T[] => Array.from({ length: count }, () => one);

test('a queue without anybody for longer than a new start takes is told, with when it was served last', async () => {
  expect(await watching([BOTH, ...times(LOOKS, ['a'])], [])).toEqual({
    unserved: [{ queue: 'b', since: 1_000_000 }],
    slots: {},
  });
});

test('where the clock is put back meanwhile, a queue without anybody is told no later than else, and since no time to come', async () => {
  const back = (look: number): number => (look === 2 ? -900_000 : 0);
  const told = await watching([BOTH, BOTH, ...times(LOOKS + 2, ['a'])], [], {}, back);
  expect(told).toEqual({ unserved: [{ queue: 'b', since: expect.any(Number) }], slots: {} });
  expect((told as FleetSeen).unserved[0]!.since).toBeLessThan(200_000);
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
  expect(await watching([[], ['b']], unserved)).toEqual({ unserved: [{ queue: 'a', since: 5 }], slots: {} });
});

test('a server that does not answer tells nothing about workers', async () => {
  await expect(watching([BOTH, ...times(20, null)], [])).rejects.toThrow('nothing changed');
  await expect(watching(times(20, null), [{ queue: 'b', since: 7 }])).rejects.toThrow('nothing changed');
});

const GONE_LOOKS = GONE_MS / 2000 + 1;

test('a worker more is told at once; with it only what is sure of the other queues', async () => {
  const seen = [
    { a: 4, b: 2 },
    { a: 4, b: 1 },
    { a: 6, b: 1 },
  ];
  expect(await watching(seen, [], { a: 4, b: 2 })).toEqual({ unserved: [], slots: { a: 6, b: 2 } });
});

test('slots that are gone are told once they stay away, and not where they come back', async () => {
  const told = { a: 4, b: 2 };
  const fewer = { a: 2, b: 2 };
  expect(await watching(times(GONE_LOOKS, fewer), [], told)).toEqual({ unserved: [], slots: fewer });
  const away = times(GONE_LOOKS - 1, fewer);
  await expect(watching([...away, told, ...away, told], [], told)).rejects.toThrow('nothing changed');
});

test('slots of a queue that were not known are told; one of many more or less is not', async () => {
  expect(await watching([{ a: 4, b: 2 }], [], { a: 4 })).toEqual({ unserved: [], slots: { a: 4, b: 2 } });
  await expect(watching(times(60, { a: 64, b: 2 }), [], { a: 60, b: 2 })).rejects.toThrow('nothing changed');
});

test('a queue that nobody serves has no slots that are known', async () => {
  const seen = [{ a: 4, b: 2 }, ...times(LOOKS, { a: 4 })];
  expect(await watching(seen, [], { a: 4, b: 2 })).toEqual({
    unserved: [{ queue: 'b', since: 1_000_000 }],
    slots: { a: 4 },
  });
});

test('a server that does not answer tells nothing about slots', async () => {
  await expect(watching([{ a: 4, b: 2 }, ...times(60, null)], [], { a: 4, b: 2 })).rejects.toThrow('nothing changed');
});
