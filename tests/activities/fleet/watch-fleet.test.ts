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

test('given a queue without workers for longer than a restart, then it is reported with the time it was last served', async () => {
  expect(await watching([BOTH, ...times(LOOKS, ['a'])], [])).toEqual({
    unserved: [{ queue: 'b', since: 1_000_000 }],
    slots: {},
  });
});

test('when the clock is set back, then an unserved queue is reported as early as usual, with no future time', async () => {
  const back = (look: number): number => (look === 2 ? -900_000 : 0);
  const told = await watching([BOTH, BOTH, ...times(LOOKS + 2, ['a'])], [], {}, back);
  expect(told).toEqual({ unserved: [{ queue: 'b', since: expect.any(Number) }], slots: {} });
  expect((told as FleetSeen).unserved[0]!.since).toBeLessThan(200_000);
});

test('when a worker restarts, then nothing is reported', async () => {
  const pause = times(LOOKS - 1, ['a']);
  await expect(watching([BOTH, ...pause, BOTH, ...pause, BOTH], [])).rejects.toThrow('nothing changed');
});

test('given an unserved queue, when it is served again, then this is reported at once; other queues keep their times', async () => {
  const unserved = [
    { queue: 'a', since: 5 },
    { queue: 'b', since: 7 },
  ];
  expect(await watching([[], ['b']], unserved)).toEqual({ unserved: [{ queue: 'a', since: 5 }], slots: {} });
});

test('given a server that does not answer, then no queue is reported as unserved', async () => {
  await expect(watching([BOTH, ...times(20, null)], [])).rejects.toThrow('nothing changed');
  await expect(watching(times(20, null), [{ queue: 'b', since: 7 }])).rejects.toThrow('nothing changed');
});

const GONE_LOOKS = GONE_MS / 2000 + 1;

test('given more slots of one queue and fewer of another, then only the increase is reported at once', async () => {
  const seen = [
    { a: 4, b: 2 },
    { a: 4, b: 1 },
    { a: 6, b: 1 },
  ];
  expect(await watching(seen, [], { a: 4, b: 2 })).toEqual({ unserved: [], slots: { a: 6, b: 2 } });
});

test('given lost slots, then they are reported once they stay away, and not if they return', async () => {
  const told = { a: 4, b: 2 };
  const fewer = { a: 2, b: 2 };
  expect(await watching(times(GONE_LOOKS, fewer), [], told)).toEqual({ unserved: [], slots: fewer });
  const away = times(GONE_LOOKS - 1, fewer);
  await expect(watching([...away, told, ...away, told], [], told)).rejects.toThrow('nothing changed');
});

test('given slots that were unknown, then they are reported; small changes of many slots are not', async () => {
  expect(await watching([{ a: 4, b: 2 }], [], { a: 4 })).toEqual({ unserved: [], slots: { a: 4, b: 2 } });
  await expect(watching(times(60, { a: 64, b: 2 }), [], { a: 60, b: 2 })).rejects.toThrow('nothing changed');
});

test('given a queue that becomes unserved, then its slots are dropped', async () => {
  const seen = [{ a: 4, b: 2 }, ...times(LOOKS, { a: 4 })];
  expect(await watching(seen, [], { a: 4, b: 2 })).toEqual({
    unserved: [{ queue: 'b', since: 1_000_000 }],
    slots: { a: 4 },
  });
});

test('given a server that does not answer, then no change of slots is reported', async () => {
  await expect(watching([{ a: 4, b: 2 }, ...times(60, null)], [], { a: 4, b: 2 })).rejects.toThrow('nothing changed');
});
