import fc from 'fast-check';
import { freshSearch } from './fresh.js';
import { law } from './law.js';

function fixture(minutes: number) {
  const lines: string[] = [];
  let [nowMs, seed] = [0, 0];
  const seeds: number[] = [];
  /** A law that takes so long for each world. */
  const lasting = (id: string, ms: number, holds: (world: number) => void = () => undefined, weight = 1) =>
    law({
      ...{ id, says: `is ${id}`, runs: 10, weight, worlds: fc.nat(1000) },
      holds: (world) => {
        nowMs += ms;
        holds(world);
      },
    });
  const random = (): number => {
    seeds.push(++seed);
    return seed;
  };
  const how = { minutes, clock: () => nowMs, random, print: (line: string) => void lines.push(line) };
  return { lasting, how, lines, seeds, nowMs: () => nowMs };
}

test('given laws of different weights, then each gets its share of the minutes and a fresh seed each turn', () => {
  const { lasting, how, lines, seeds, nowMs } = fixture(2);
  const heavy = lasting('heavy', 100, undefined, 3);
  expect(freshSearch([lasting('quick', 10), heavy], how)).toBe(0);
  expect(nowMs()).toBe(120_000);
  const [quick, slow] = lines.map((line) => Number(/(\d+) worlds/.exec(line)![1]));
  expect(quick! * 10 + slow! * 100).toBe(120_000);
  expect((slow! * 100) / (quick! * 10)).toBeCloseTo(3, 0);
  expect(new Set(seeds).size).toBe(seeds.length);
});

test('when a law breaks, then its seed, cause and row are printed, and the other laws continue', () => {
  const { lasting, how, lines } = fixture(1);
  const fails = lasting('odd', 10, (world) => {
    if (world > 20) throw new Error('over 20');
  });
  expect(freshSearch([fails, lasting('even', 10)], how)).toBe(1);
  expect(lines).toEqual([
    expect.stringMatching(/^odd: broken, seed 1, path "\d+"; shrinking for at most 60 s$/),
    'odd: over 20\nadd this row to tests/engine/laws/found.jsonl:\n{"law":"odd","found":"over 20","world":21}',
    expect.stringMatching(/^BROKEN .*odd/),
    expect.stringMatching(/^ok .* \d{4} worlds {2}even/),
  ]);
});

test('when all laws are broken, then the search ends early', () => {
  const { lasting, how, nowMs } = fixture(60);
  const fails = lasting('odd', 10, () => {
    throw new Error('never');
  });
  expect(freshSearch([fails], how)).toBe(1);
  expect(nowMs()).toBeLessThan(60_000);
});
