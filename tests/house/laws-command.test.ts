/** @slow */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const laws = (...args: readonly string[]) =>
  spawnSync(process.execPath, [join(ROOT, 'tools/laws/main.mjs'), ...args], { cwd: ROOT, encoding: 'utf8' });

test.each<[readonly string[], string]>([
  [[], '--minutes is missing'],
  [['--minutes'], '--minutes has no number'],
  [['--minutes', '0'], '--minutes `0` is out of range or no number'],
  [['--minutes', '-1'], '--minutes `-1` is out of range or no number'],
  [['--minutes', 'ten'], '--minutes `ten` is out of range or no number'],
  [['--minutes=1441'], '--minutes `1441` is out of range or no number'],
  [['--minutes', '5', 'more', '--seed'], '`more`, `--seed`: not known here'],
  [['--hours', '1'], '`--hours`, `1`: not known here'],
])('given the arguments %j, then `npm run laws` refuses them and names the correct form', (args, message) => {
  const { status, stdout, stderr } = laws(...args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toBe(
    `LAWS_ARGUMENT: ${message}\n  next: Type \`npm run laws -- --minutes 10\`: any number above 0 and up to 1440.\n`,
  );
});

test('given a short time, then `npm run laws` plays worlds, counts them for each law, and exits with 0', () => {
  const { status, stdout } = laws('--minutes=0.001');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^ok +\d+ worlds {2}any-run {2,}given any events, then a run/m);
  expect(stdout).toMatch(/^ok +\d+ worlds {2}outages\/none-held /m);
});
