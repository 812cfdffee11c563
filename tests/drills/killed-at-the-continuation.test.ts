/** @long @needs temporal */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** Part of what `bench/crash.mjs --json` prints. */
interface Told {
  readonly problems: readonly string[];
  /** Number of events of each history. */
  readonly events: readonly number[];
  readonly killed: readonly { readonly moment: string; readonly victims: readonly string[] }[];
}

// Steps are judged by what they wrote down themselves and by the server's histories.
test('given a run that continues as new, when server and worker are killed three times, then every step ends once and histories replay', () => {
  const plan = ['--shape', 'chain', '--steps', '60', '--continue-after', '60', '--kills', '3', '--seed', '7'];
  const around = ['--victims', 'workflows,server', '--task-seconds', '3', '--json'];
  const argv = [join(ROOT, 'bench/crash.mjs'), ...plan, ...around];
  const { stdout, stderr, status } = spawnSync(process.execPath, argv, { encoding: 'utf8', cwd: ROOT });
  const told = stdout.split('\n').find((line) => line.startsWith('{'));
  if (told === undefined) throw new Error(stderr + stdout);
  const { problems, events, killed } = JSON.parse(told) as Told;
  expect(problems).toEqual([]);
  expect(status).toBe(0);
  expect(events.length).toBeGreaterThan(3);
  expect(new Set(killed.flatMap(({ victims }) => victims))).toEqual(new Set(['server', 'workflows']));
  expect(new Set(killed.map(({ moment }) => moment)).size).toBe(3);
});
