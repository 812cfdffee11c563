import fc from 'fast-check';
import { law } from './law.js';
import { search } from './search.js';

/** A clock on which each play takes a second. */
function fixture(holds: (world: readonly number[]) => void = () => undefined) {
  const lines: string[] = [];
  const plays: (readonly number[])[] = [];
  let nowMs = 0;
  const worlds = fc.array(fc.nat(1000), { maxLength: 50 });
  const slow = law({
    ...{ id: 'slow', says: 'is slow', runs: 100, worlds },
    holds: (world) => {
      plays.push(world);
      nowMs += 1000;
      holds(world);
    },
  });
  const how = { seed: 1, runs: 100, clock: () => nowMs, tell: (line: string) => void lines.push(`${nowMs} ${line}`) };
  return { slow, how, lines, plays };
}
const atMost20 = (world: readonly number[]): void => {
  if (world.some((number) => number > 20)) throw new Error('over 20');
};

test('given a law that holds, then all worlds are played and nothing is printed', () => {
  const { slow, how, lines } = fixture();
  expect(search(slow, { ...how, shrinkMs: 60_000 })).toEqual({ worlds: 100, find: null });
  expect(lines).toEqual([]);
});

test('given a broken law, then seed and path are printed before shrinking starts', () => {
  const { slow, how, lines, plays } = fixture(atMost20);
  const { worlds, find } = search(slow, { ...how, shrinkMs: 60_000 });
  expect(find).toMatchObject({ law: 'slow', seed: 1, cause: 'over 20' });
  expect(lines).toEqual([`${worlds * 1000} slow: broken, seed 1, path "${find!.path}"; shrinking for at most 60 s`]);
  expect(plays.length).toBeGreaterThan(worlds);
});

test('given enough time to shrink, then the world is the smallest one', () => {
  const { slow, how } = fixture(atMost20);
  expect(search(slow, { ...how, shrinkMs: 10_000_000 }).find!.world).toEqual([21]);
});

test('when the time for shrinking is over, then no further world is played', () => {
  const { slow, how, plays } = fixture(atMost20);
  const { worlds, find } = search(slow, { ...how, shrinkMs: 3000 });
  expect(plays).toHaveLength(worlds + 3);
  expect(() => atMost20(find!.world as number[])).toThrow('over 20');
});

test('given no time for shrinking, then the world is the first one found', () => {
  const { slow, how, plays } = fixture(atMost20);
  const { worlds, find } = search(slow, { ...how, shrinkMs: 0 });
  expect(plays).toHaveLength(worlds + 1);
  expect(find!.world).toEqual(plays.at(-1));
});
