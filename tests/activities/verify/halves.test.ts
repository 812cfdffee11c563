import { halved } from '../../../src/activities/verify/halves.js';
import { aProblem } from '../../engine/a-skeleton.js';

/** Tries letters; those in `broken` fail. */
async function tried(all: string, broken: string) {
  const tries: string[] = [];
  const { sound, problems } = await halved([...all], async (some) => {
    tries.push(some.join(''));
    const bad = some.filter((one) => broken.includes(one));
    return bad.length === 0 ? null : aProblem({ message: bad.join('') });
  });
  return { tries, sound: sound.join(''), problems: problems.map(({ message }) => message) };
}

test.each([
  ['none', '', '', '', [], []],
  ['all are sound', 'abcd', '', 'abcd', [], ['abcd']],
  ['the only one is broken', 'a', 'a', '', ['a'], ['a']],
  ['one of five is broken', 'abcde', 'd', 'abce', ['d'], ['abcde', 'abc', 'de', 'd', 'e']],
  ['two of four are broken', 'abcd', 'ad', 'bc', ['a', 'd'], ['abcd', 'ab', 'a', 'b', 'cd', 'c', 'd']],
])('given %s, then each broken one has a problem of its own', async (_, all, broken, sound, problems, tries) => {
  expect(await tried(all, broken)).toEqual({ tries, sound, problems });
});

test('given one of 600 is broken, then few tries find it', async () => {
  const all = Array.from({ length: 600 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('');
  const { tries, problems } = await tried(all, all[417]!);
  expect(problems).toEqual([all[417]]);
  expect(tries.length).toBeLessThanOrEqual(23);
});
