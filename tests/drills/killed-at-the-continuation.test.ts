/** @needs services */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** What `bench/crash.mjs --json` prints. */
interface Told {
  readonly problems: readonly string[];
  readonly generations: number;
  readonly killed: readonly { readonly moment: string; readonly victims: readonly string[] }[];
}

// Steps are judged by what they wrote down themselves and by the server's histories; all replay, also with nothing cached.
test('server and workflow worker are killed in the middle of hand-overs: every step ends once, all histories replay', () => {
  const plan = ['--shape', 'chain', '--steps', '60', '--hand-over-after', '60', '--kills', '3', '--seed', '7'];
  const argv = [
    join(ROOT, 'bench/crash.mjs'),
    ...plan,
    '--victims',
    'workflows,server',
    '--task-seconds',
    '3',
    '--json',
  ];
  const { stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8', cwd: ROOT });
  const told = stdout.split('\n').find((line) => line.startsWith('{'));
  if (told === undefined) throw new Error(stderr + stdout);
  const { problems, generations, killed } = JSON.parse(told) as Told;
  expect(problems).toEqual([]);
  expect(generations).toBeGreaterThan(3);
  expect(new Set(killed.flatMap(({ victims }) => victims))).toEqual(new Set(['server', 'workflows']));
  expect(new Set(killed.map(({ moment }) => moment)).size).toBe(3);
});
