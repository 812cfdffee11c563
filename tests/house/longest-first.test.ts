import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../support/pages.js';

const LONGEST_FIRST = pathToFileURL(join(ROOT, 'tools/check/longest-first.mjs')).href;

/** Seconds that the order of suites takes for suites with these first comments. */
function guesses(comments: readonly string[]): readonly number[] {
  const script = `import('${LONGEST_FIRST}').then(({ guessOf }) => {
    console.log(JSON.stringify(${JSON.stringify(comments)}.map(guessOf))); });`;
  return JSON.parse(execFileSync(process.execPath, ['-e', script], { cwd: ROOT, encoding: 'utf8' })) as number[];
}

test('given suites that never ran, then @long weighs more than a short need, and a need more than @slow or nothing', () => {
  const [long, longTools, services, tools, slow, plain] = guesses([
    '/** @long */',
    '/** @long @needs tools compiler */',
    '/** @needs services */',
    '/** @needs tools */',
    '/** @slow */',
    '',
  ]) as [number, number, number, number, number, number];
  expect([long === longTools, long > services, services > tools, tools > slow, slow > plain]).toEqual(
    Array.from({ length: 5 }, () => true),
  );
});
