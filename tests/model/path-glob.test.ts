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
    ['java/**', 'java/a\nb', true],
    ['java/**', 'java/a\n', true],
    ['java/**', '\njava/a', false],
    ['**/*.java', 'a\nb/c\nd.java', true],
    ['java/*', 'java/a\n', true],
    ['java/a', 'java/a\n', false],
    ['*'.repeat(500), 'a', true],
    ['a**b', 'a/b', false],
  ])('given the pattern %s and the path %s, then it matches or not', (glob, path, expected) => {
    expect(compileGlob(glob).test(path)).toBe(expected);
  });
});
