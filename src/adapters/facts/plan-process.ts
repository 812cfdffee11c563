import { fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { packageRoot } from '../home.js';
import { type Functions, talk } from './talk.js';

/** Limits of one planning. */
export const LIMITS = { heapMb: 1024, memoryMb: 1536, timeMs: 5 * 60_000 };

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly limits?: Partial<typeof LIMITS>;
  /** Further options of Node. */
  readonly flags?: readonly string[];
}

export interface End {
  /** Limit that the process passed. Null: it ended for another reason. */
  readonly limit: string | null;
  /** Its signal, or its exit status. */
  readonly status: string;
  readonly words: string;
}

/** A process that plans, and the programs that it starts. */
export interface PlanProcess {
  readonly call: ReturnType<typeof talk>;
  readonly ended: Promise<End>;
  end(limit?: string): void;
}

/** Variables by which planning finds programs, roots, certificates, proxies and git's ssh agent, and pip its settings.
 * All others, and with them keys and secrets, stay in the worker. */
const TAKEN =
  /^(PATH|HOME|USER|LOGNAME|LANG|LC_\w+|TZ|TMPDIR|SLIPWAY_ROOTS|SSH_AUTH_SOCK|GIT_SSL_CAINFO|SSL_CERT_\w+|NODE_EXTRA_CA_CERTS|\w+_CA_BUNDLE|(https?|all|no)_proxy|PIP_\w+|NETRC|XDG_\w+|DBUS_SESSION_BUS_ADDRESS|PYTHON_KEYRING_BACKEND)$/i;

/** @param world functions that the process may call */
export function startPlanProcess({ env, home, limits, flags = [] }: Surroundings, world: Functions): PlanProcess {
  const { heapMb, memoryMb } = { ...LIMITS, ...limits };
  const own = Object.entries(env).filter(([name]) => TAKEN.test(name));
  const said = JSON.stringify({ memoryMb, worker: process.pid });
  const child = fork(join(packageRoot(), 'dist', 'workers', 'plan-main.js'), [said], {
    execArgv: [`--max-old-space-size=${heapMb}`, ...flags],
    env: { ...Object.fromEntries(own), SLIPWAY_HOME: home },
    ...{ detached: true, serialization: 'advanced', stdio: ['ignore', 'ignore', 'pipe', 'ipc'] },
  });
  // An idle process keeps no worker from ending.
  for (const handle of [child, child.channel, child.stderr as Socket]) handle?.unref();
  let words = '';
  let passed: string | null = null;
  child.stderr!.on('data', (text: Buffer) => (words = `${words}${text.toString()}`.slice(-4000)));
  const ended = new Promise<End>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      const limit = passed ?? /^slipway: (.*)$/m.exec(words)?.[1] ?? HEAP_FULL.exec(words)?.[0] ?? null;
      resolve({ limit, status: signal ?? `status ${code}`, words });
    });
  });
  const end = (limit?: string): void => {
    passed ??= limit ?? null;
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // All its processes have ended.
    }
  };
  return { call: talk(child, world), ended, end };
}

const HEAP_FULL = /JavaScript heap out of memory/;
