import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../start/problem.mjs';
import { HOSTS, namespaceOf, pidsIn } from './network.mjs';

/** For a part to answer: a busy machine starts a server ten times as slowly. */
const LIMIT_MS = 5 * 60_000;

const started = [];
const logs = new Map();
/** By the name of a part: its child, and how it is started again. */
const parts = new Map();

let resolver = '/etc/resolv.conf';
/** Names the file that programs of hosts find as /etc/resolv.conf. */
export const resolveBy = (file) => (resolver = file);

const IN_A_NAMESPACE = 'mount --bind "$0" /etc/resolv.conf && exec "$@"';
/** Returns the command line that enters the namespace of a host; the same command line if the host is null. Each program replaces itself by the
 * next, so the pid is the last one's. `ip netns exec` would hide the cgroups, which an engine needs. */
const within = (host, argv) =>
  host === null
    ? argv
    : [
        'nsenter',
        `--net=/run/netns/${namespaceOf(host)}`,
        'unshare',
        '--mount',
        'sh',
        '-c',
        IN_A_NAMESPACE,
        resolver,
        ...argv,
      ];

/** Starts a program that stays. Its output is in FOLDER/log/NAME. */
export function start(folder, name, host, argv, options) {
  const child = launch(folder, name, host, argv, options);
  parts.set(name, { child, again: () => start(folder, name, host, argv, options) });
  return child;
}

function launch(folder, name, host, argv, { env, cwd } = {}) {
  const log = join(folder, 'log', name);
  mkdirSync(dirname(log), { recursive: true });
  const out = openSync(log, 'a');
  const [program, ...rest] = within(host, argv);
  const child = spawn(program, rest, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', out, out],
    detached: true,
  });
  child.once('error', () => undefined);
  started.push(child);
  logs.set(child, log);
  return child;
}

/** Runs to the end and answers the output. Throws HOSTS_PART_FAILED. */
export function run(host, argv, { env, cwd, input, isShown = false } = {}) {
  const [program, ...rest] = within(host, argv);
  const stdio = ['pipe', isShown ? 'inherit' : 'pipe', isShown ? 'inherit' : 'pipe'];
  const { status, stdout, stderr, error } = spawnSync(program, rest, {
    cwd,
    input,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio,
  });
  if (status === 0) return stdout ?? '';
  throw failed(argv, `ended with ${status ?? error?.message}`, `${stdout ?? ''}${stderr ?? ''}`);
}

const failed = (argv, what, output) =>
  new Problem(
    'HOSTS_PART_FAILED',
    `${argv.join(' ').slice(0, 200)} ${what}`,
    'Fix what its lines name, then `npm run hosts` again.',
    {
      evidence: output.trim().split('\n').slice(-20),
    },
  );

/** Waits until `isTrue` answers true. Throws HOSTS_PART_FAILED where the program ends first or the time is up. */
export async function until(child, isTrue, limitMs = LIMIT_MS) {
  const end = performance.now() + limitMs;
  const over = () => child !== null && (child.exitCode !== null || child.signalCode !== null);
  while (!(await isTrue())) {
    if (over() || performance.now() > end)
      throw failed(
        child?.spawnargs ?? ['a part'],
        over() ? 'ended' : 'does not answer',
        child ? readFileSync(logs.get(child), 'utf8') : '',
      );
    await sleep(250);
  }
}

/** Whether a command succeeds. */
export const succeeds = (host, argv, { env } = {}) => {
  const [program, ...rest] = within(host, argv);
  return spawnSync(program, rest, { env: { ...process.env, ...env }, stdio: 'ignore', timeout: 20_000 }).status === 0;
};

export const endPart = (name) => end(parts.get(name).child);
export const startAgain = (name) => parts.get(name).again();
export const tellPart = (name, signal) => tellPid(parts.get(name).child.pid, signal);

/** Ends all that was started, last first, and then what is left in the namespaces. */
export async function endAll() {
  for (const child of started.toReversed()) await end(child);
  for (const host of HOSTS) pidsIn(host).forEach((pid) => tellPid(pid, 'SIGKILL'));
}

async function end(child) {
  const over = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  if (!over()) tellPid(child.pid, 'SIGTERM');
  for (let waited = 0; !over() && waited < 15_000; waited += 100) await sleep(100);
  if (!over()) tellPid(child.pid, 'SIGKILL');
}

export function tellPid(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in this moment.
  }
}
