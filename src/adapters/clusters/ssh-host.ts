import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command, Programs } from '../../activities/ports.js';
import { fail } from '../../model/failure.js';
import { quoted } from '../../model/quoted.js';
import { aborted } from '../aborted.js';
import { type Agent, createAgent } from './agent.js';
import { AGENT_SCRIPT } from './agent-script.js';
import { clusterSilent, notLetIn } from './errors.js';
import { ClusterFault } from './fault.js';
import { makeFolders } from './head-folder.js';
import { LONGEST_MS, MOST_RESULT_BYTES } from './limits.js';

const COPY_MS = 30 * 60_000;
/** Longer than the agent gives programs that were told to end. */
const END_MS = 12_000;
const SSH_FAILED = 255;
const OPTIONS = [
  'BatchMode=yes',
  'ConnectTimeout=10',
  'ServerAliveInterval=5',
  'ServerAliveCountMax=3',
  'ExitOnForwardFailure=yes',
];

/** How a host is reached. */
export interface SshPlace {
  readonly cluster: string;
  /** Destination as ssh takes it: `user@host`, or a name of the configuration. */
  readonly host: string;
  /** A configuration of ssh. Null: the worker's own. */
  readonly config: string | null;
  /** Python on the host. */
  readonly python: string;
  /** Folder of this machine for sockets. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** `mostBytes` limits an output; default: the limit of results. */
type CopiedFile = { readonly from: string } | { readonly to: string; readonly mostBytes?: number };

/** A host with an agent of ours. All that it started ends with the connection. */
export interface SshHost {
  readonly agent: Agent;
  /** Runs a line on the host with the input or the output in a file of this machine. Throws ClusterFault for a longer output. */
  copy(line: string, file: CopiedFile, signal: AbortSignal): Promise<void>;
  /** Ends all programs there and removes the folders. Never throws. */
  close(): Promise<void>;
}

/** Starts the agent of a host. Throws CLUSTER_SILENT where ssh reaches none, CLUSTER_REFUSED where it is not let in.
 * @param at the folder of the host for the agent @param folders `at` and others: made on the host, and removed at the end
 * @param end ends the wait for a host that lets ssh in and never answers */
export async function openHost(
  programs: Programs,
  place: SshPlace,
  number: number,
  at: string,
  folders: readonly string[],
  end: AbortSignal,
): Promise<SshHost> {
  const { folder, python } = place;
  mkdirSync(folder, { recursive: true });
  const [socket, input] = [`node${number}.sock`, `node${number}.in`];
  const words = [python, '-c', AGENT_SCRIPT, join(at, 'agent.sock'), ...folders].map(quoted).join(' ');
  const ssh = line(
    place,
    ['-L', `./${socket}:${join(at, 'agent.sock')}`],
    `${makeFolders(...folders)} && exec ${words}`,
  );
  const over = new AbortController();
  let said = '';
  let isReady!: () => void;
  const ready = new Promise<void>((resolve) => (isReady = resolve));
  // Opened for both directions, the input has no end before ssh itself ends.
  const argv = `rm -f ${socket} ${input}; mkfifo ${input}; exec ${ssh} <> ${input}`;
  const ended = programs
    .run(
      command(place, argv, LONGEST_MS, over.signal, (text) => {
        said = (said + text).slice(-4000);
        if (said.includes('ready\n')) isReady();
      }),
    )
    .catch((error: Error) => ({ code: SSH_FAILED, why: (said += error.message) }));
  const early = ended.then(({ code }) => Promise.reject(whyNot(place, code, said)));
  early.catch(() => undefined);
  try {
    await Promise.race([ready, early, aborted(end)]);
  } catch (error) {
    over.abort();
    await ended;
    throw error;
  }
  const agent = createAgent(join(folder, socket));
  return {
    agent,
    copy: (remote, file, signal) => copy(programs, place, remote, file, signal),
    close: async () => {
      await Promise.race([agent.end(), pause(END_MS, undefined, { ref: false })]).catch(() => undefined);
      over.abort();
      await ended;
    },
  };
}

function whyNot({ cluster, host }: SshPlace, code: number, said: string): Error {
  const last = said.trim().split('\n').at(-1) ?? '';
  if (/Permission denied|Host key verification failed|IDENTIFICATION HAS CHANGED/.test(said))
    return fail(notLetIn(cluster, host, last));
  if (code === SSH_FAILED) return fail(clusterSilent(cluster, host, last));
  return new ClusterFault(`the agent of ${host} ended with status ${code}: ${last}`);
}

const line = ({ host, config }: SshPlace, more: readonly string[], remote: string): string =>
  [
    'ssh',
    '-T',
    ...(config === null ? [] : ['-F', config]),
    ...OPTIONS.flatMap((one) => ['-o', one]),
    ...more,
    host,
    remote,
  ]
    .map(quoted)
    .join(' ');

const command = (
  { folder, env }: SshPlace,
  argv: string,
  limitMs: number,
  signal: AbortSignal,
  onOutput: Command['onOutput'],
): Command => ({ argv, cwd: folder, env, limitMs, signal, onOutput });

async function copy(
  programs: Programs,
  place: SshPlace,
  remote: string,
  file: CopiedFile,
  signal: AbortSignal,
): Promise<void> {
  let said = '';
  const mostBytes = 'to' in file ? (file.mostBytes ?? MOST_RESULT_BYTES) : 0;
  const ssh = line(place, [], remote);
  const argv = 'from' in file ? `${ssh} < ${quoted(file.from)}` : cut(ssh, file.to, mostBytes + 1);
  const onOutput = (text: string): void => void (said = (said + text).slice(-4000));
  const { code, timedOut } = await programs.run(command(place, argv, COPY_MS, signal, onOutput));
  signal.throwIfAborted();
  if (timedOut) throw new ClusterFault(`ssh to ${place.host} took longer than ${COPY_MS / 60_000} min`);
  if ('to' in file && (statSync(file.to, { throwIfNoEntry: false })?.size ?? 0) > mostBytes)
    throw new ClusterFault(`${place.host} sent more than ${mostBytes} bytes`);
  if (code !== 0)
    throw new ClusterFault(`ssh to ${place.host} ended with status ${code}: ${said.trim().split('\n').at(-1)}`);
}

/** Returns a line that ends with the status of the program, and keeps no more of its output than these bytes. */
const cut = (program: string, to: string, bytes: number): string =>
  `s=$({ { ${program} && s=0 || s=$?; echo $s >&3; } | head -c ${bytes} > ${quoted(to)}; } 3>&1); exit $s`;
