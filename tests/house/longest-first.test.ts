import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../support/pages.js';

const LONGEST_FIRST = pathToFileURL(join(ROOT, 'tools/check/longest-first.mjs')).href;

interface Suite {
  readonly pace?: 'slow' | 'long';
  readonly needs?: string;
}
const textOf = ({ pace, needs }: Suite): string =>
  `/** ${pace === undefined ? '' : `@${pace} `}${needs === undefined ? '' : `@needs ${needs} `}*/\n`;

/** Seconds that the order of suites assumes for suites that never ran. */
function guesses(suites: readonly Suite[]): readonly number[] {
  const script = `import('${LONGEST_FIRST}').then(({ guessOf }) => {
    console.log(JSON.stringify(${JSON.stringify(suites.map(textOf))}.map(guessOf))); });`;
  return JSON.parse(execFileSync(process.execPath, ['-e', script], { cwd: ROOT, encoding: 'utf8' })) as number[];
}

test('given suites that never ran, then @long weighs more than a short need, and a need more than @slow or nothing', () => {
  const suites: readonly Suite[] = [
    { pace: 'long', needs: 'tools compiler' },
    { needs: 'services' },
    { needs: 'tools' },
    { pace: 'slow' },
    {},
  ];
  const seconds = guesses(suites);
  expect(seconds).toEqual([...new Set(seconds)].sort((a, b) => b - a));
});
