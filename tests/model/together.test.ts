import { together } from '../../src/model/together.js';

test('given tables of the core and of a feature, then the merged table has the rows of both', () => {
  const all = together('kind', { core: { build: 1 }, sample: { scan: 2 } } as const);
  expect(all).toEqual({ build: 1, scan: 2 });
  expect(all.scan satisfies 2).toBe(2);
});

test.each([
  [{ core: { build: 1 }, sample: { build: 2 } }, 'the core and feature "sample" both have a kind "build"'],
  [{ locks: { build: 1 }, sample: { build: 2 } }, 'feature "locks" and feature "sample" both have a kind "build"'],
])('given one name of two owners, then it is refused: %j', (tables, message) => {
  expect(() => together('kind', tables)).toThrow(message);
});

test('given no table, then nothing is in the merged one', () => {
  expect(together('kind', {})).toEqual({});
});
