import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const RESULTS = pathToFileURL(join(__dirname, '..', '..', 'bench', 'results.mjs')).href;
const OLDER = `# Results

## 1234567, 2026-01-01, 1 run

A machine.

| figure | median of the runs | reached |
| --- | --- | --- |
| to start | 2 s | yes |
| to \\| pipe | 3 s | yes |

## 0123456, 2025-12-31, 1 run

| figure | median of the runs | reached |
| --- | --- | --- |
| to end | 4 s | yes |
`;

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'slipway-results-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns the page after runs with these figures in seconds. Null: the figure was not taken. */
function written(...runs: readonly Readonly<Record<string, number | null>>[]): string {
  const page = join(folder, 'results.md');
  writeFileSync(page, OLDER);
  const rows = runs.map((figures) =>
    Object.entries(figures).map(([name, value]) => ({
      ...{ name, value, unit: 's', reference: null, ratio: null, goal: null, reached: null },
    })),
  );
  const script = `import { writeResults } from '${RESULTS}'; writeResults(${JSON.stringify(rows)}, ${JSON.stringify(page)});`;
  execFileSync(process.execPath, ['--input-type=module', '-e', script]);
  return readFileSync(page, 'utf8');
}

test('given a new figure, when it is written, then it is in the first section, and the older row is removed', () => {
  const page = written({ 'to start': 1 });
  expect(page.match(/to start.*/g)).toEqual(['to start | 1 s | – | – | – | – | – |']);
  expect(page.indexOf('to start')).toBeLessThan(page.indexOf('## 1234567'));
  expect(page).toContain('| to \\| pipe | 3 s | yes |');
});

test('given a section whose rows are all replaced, then the section is removed', () => {
  expect(written({ 'to end': 3 }).match(/^## \w+/gm)).toEqual([expect.stringMatching(/^## /), '## 1234567']);
  expect(written({ 'to start': 1, 'to | pipe': 2 })).not.toContain(
    'A machine.\n\n| figure | median of the runs | reached |',
  );
});

test('given three runs, then the row has their median, the lowest and the highest', () => {
  expect(written({ 'to start': 1 }, { 'to start': 9 }, { 'to start': 2 })).toContain('| to start | 2 s | 1 to 9 |');
});

test('given a figure that was not measured, then the page is unchanged', () => {
  expect(written({ 'to start': null })).toBe(OLDER);
});
