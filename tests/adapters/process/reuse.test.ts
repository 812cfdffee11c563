import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../src/adapters/home.js';

/** A pid space of its own, in which the next pid may be chosen: only root makes one. */
const alone = ['--pid', '--fork', '--mount-proc', process.execPath, '-e'] as const;
const maySeparate = spawnSync('unshare', [...alone, '0']).status === 0;
const whereAlone = maySeparate ? test : test.skip;

/** What the scripts have: `at(pid, script)` starts a group of that very number, `sweep(record)` answers what was ended. */
const TOOLS = `
const fs = require('node:fs'), { join } = require('node:path'), { spawn } = require('node:child_process');
const [built, home] = process.argv.slice(1);
const { sweepGroups } = require(join(built, 'sweep.js'));
const { groupLives, identityOf, opened } = require(join(built, 'identity.js'));
const gone = { pid: 999999999, start: 'then' };
const until = async (so) => { while (!so()) await new Promise((again) => setImmediate(again)); };
const at = (pid, script, options) => {
  if (pid !== null) fs.writeFileSync('/proc/sys/kernel/ns_last_pid', String(pid - 1));
  const child = spawn('sh', ['-c', script], { detached: true, stdio: 'ignore', cwd: '/', ...options });
  if (pid !== null && child.pid !== pid) throw new Error('the kernel gave ' + child.pid + ' in place of ' + pid);
  return child;
};
const ended = (child) => until(() => child.exitCode !== null || child.signalCode !== null);
/** Start times are told in ticks of 10 ms. */
const tick = async () => { const now = () => fs.readFileSync('/proc/uptime', 'utf8').split(' ')[0], then = now(); await until(() => now() !== then); };
const sweep = async (record) => {
  fs.mkdirSync(join(home, 'running'), { recursive: true });
  fs.writeFileSync(join(home, 'running', 'one.json'), JSON.stringify({ runner: gone, worker: gone, cwd: home, output: [], ...record }));
  return sweepGroups(join(home, 'running'));
};
const answer = (value) => { console.log(JSON.stringify(value)); process.exit(0); };
`;

const told = (script: string): unknown => {
  const home = mkdtempSync(join(tmpdir(), 'slipway-reuse-'));
  const code = `${TOOLS}(async () => { ${script} })().catch((error) => { console.error(error); process.exit(1); });`;
  const built = join(packageRoot(), 'dist', 'adapters', 'process');
  const { stdout, stderr, status } = spawnSync('unshare', [...alone, code, built, home], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
};

whereAlone(
  'given an unrelated process with the pid of a record, when the sweep runs, then it leaves the process alone',
  () => {
    const script = `
    const ours = at(null, 'exec sleep 600'), group = identityOf(ours.pid);
    await tick();
    ours.kill('SIGKILL'); await ended(ours);
    const stranger = at(ours.pid, 'exec sleep 600');
    answer({ swept: await sweep({ group }), same: stranger.pid === group.pid, lives: groupLives(stranger.pid) });`;
    expect(told(script)).toEqual({ swept: [], same: true, lives: true });
  },
);

whereAlone('given a group that such a process left behind, when the sweep runs, then it leaves the group alone', () => {
  const script = `
    const ours = at(null, 'exec sleep 600'), group = identityOf(ours.pid);
    ours.kill('SIGKILL'); await ended(ours);
    const stranger = at(ours.pid, 'sleep 600 & exit 0'); await ended(stranger);
    answer({ swept: await sweep({ group }), lives: groupLives(group.pid) });`;
  expect(told(script)).toEqual({ swept: [], lives: true });
});

whereAlone.each([
  ['works in its old folder', `{ cwd: home }`, `{}`],
  ['writes to its old output', `{ stdio: ['ignore', 'pipe', 'ignore'] }`, `{ output: [opened(sleeper(ours.pid), 1)] }`],
])(
  'given a group of ours without its leader, when a process of it %s, then the sweep ends it',
  (_, options, record) => {
    const script = `
    const sleeper = (group) => require(join(built, 'identity.js')).membersOf(group)[0];
    const ours = at(null, 'sleep 600 & exec sleep 601', ${options}), group = identityOf(ours.pid);
    await until(() => require(join(built, 'identity.js')).membersOf(ours.pid).length === 2);
    process.kill(ours.pid, 'SIGKILL'); await ended(ours);
    const swept = await sweep({ cwd: '/nowhere', group, ...(${options.includes('cwd')} ? { cwd: home } : {}), ...${record} });
    await until(() => !groupLives(group.pid));
    answer(swept.length);`;
    expect(told(script)).toEqual(1);
  },
);
