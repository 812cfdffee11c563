/** @long @needs temporal */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** Part of what `bench/crash.mjs --json` prints. */
interface Told {
  readonly problems: readonly string[];
  readonly pauses: number;
  readonly queries: number;
}

function disturbed(...more: readonly string[]): Told {
  const plan = ['--shape', 'random', '--steps', '60', '--kills', '0', '--pauses', '12', '--asks', '--seed', '3'];
  const argv = [join(ROOT, 'bench/crash.mjs'), ...plan, '--task-seconds', '3', '--cached', '1', '--json', ...more];
  const { stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8', cwd: ROOT });
  const told = stdout.split('\n').find((line) => line.startsWith('{'));
  if (told === undefined) throw new Error(stderr + stdout);
  return JSON.parse(told) as Told;
}

test('given a workflow worker that is paused between queries and Updates, then every step ends once and histories replay', () => {
  const { problems, pauses, queries } = disturbed();
  expect(problems).toEqual([]);
  expect(pauses).toBeGreaterThan(0);
  expect(queries).toBeGreaterThan(0);
});

test('given a workflow that depends on its number of queries, then the same play finds the nondeterminism', () => {
  expect(disturbed('--plant', 'query-counts').problems.join('\n')).toMatch(/TMPRL1100|does not replay/);
});
