import { compileGlob } from '../../src/model/schema/path-glob.js';

describe('a pattern', () => {
  test.each([
    ['*.json', 'a.json', true],
    ['*.json', 'b/a.json', false],
    ['**/*.json', 'a.json', true],
    ['**/*.json', 'b/c/a.json', true],
    ['out/**', 'out/a/b', true],
    ['out/**', 'outer/a', false],
    ['a?.txt', 'ab.txt', true],
    ['a+(b).txt', 'a+(b).txt', true],
    ['./x', 'x', true],
  ])('given the pattern %s and the path %s, then it matches or not', (glob, path, expected) => {
    expect(compileGlob(glob).test(path)).toBe(expected);
  });
});
