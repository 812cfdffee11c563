import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Features, Past, Planner, PlanSignatures } from '../../activities/plan/ports.js';
import type { Store } from '../../activities/ports.js';
import type { Digest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import type { Plan } from '../../model/plan.js';
import { packageRoot } from '../home.js';
import { createWheelServer } from '../wheel-server/wheel-server.js';
import { problems } from './errors.js';
import { loadPlan } from './planner.js';
import { type Functions, openRpc } from './rpc.js';

/** Limits of one planning: of the heap, of all memory, of time. */
export const LIMITS = { heapMb: 1024, memoryMb: 1536, timeMs: 5 * 60_000 };

export interface Around {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly store: Store;
  readonly signatures: PlanSignatures;
  /** The process has the features itself. */
  readonly past: Omit<Past, keyof Features>;
  /** Returns the signal that ends the planning of the caller. */
  readonly stopped: () => AbortSignal;
  /** Starts a process after each answer, so that the next plan does not wait 0.3 s for one. */
  readonly warm?: boolean;
  /** Makes a folder for temporary files of one process that this user alone may open. */
  readonly temporary: () => { readonly folder: string; readonly remove: () => Promise<void> };
  readonly limits?: Partial<typeof LIMITS>;
  /** Further options of Node. */
  readonly flags?: readonly string[];
}

/** Variables by which planning finds programs, roots, certificates, proxies and git's ssh agent, and pip its settings.
 * All others, and with them keys and secrets, stay in the worker. */
const PLANNING_VARIABLES =
  /^(PATH|HOME|USER|LOGNAME|LANG|LC_\w+|TZ|SLIPWAY_ROOTS|SSH_AUTH_SOCK|GIT_SSL_CAINFO|SSL_CERT_\w+|NODE_EXTRA_CA_CERTS|\w+_CA_BUNDLE|(https?|all|no)_proxy|PIP_\w+|NETRC|XDG_\w+|DBUS_SESSION_BUS_ADDRESS|PYTHON_KEYRING_BACKEND)$/i;

/** Reads files of projects in another process, within limits of memory and time. This process has the keys: it reads
 * records, indexes and buckets for the other one, stores files, and signs. Each process makes one plan: memory that a
 * plan took is free afterwards. Throws PLANNING_ENDED or PLANNING_KILLED if that process ends without an answer. */
export function planInChildProcess(around: Around): Pick<Planner, 'submit' | 'span'> {
  const limits = { ...LIMITS, ...around.limits };
  let idle: PlanProcess | null = null;

  /** Starts a process, and forgets it when it ends: Linux may end an idle process where memory is short. */
  function opened(): PlanProcess {
    const one = started(around, limits);
    const forget = (): unknown => idle === one && (idle = null);
    one.ended.then(forget, forget);
    return one;
  }

  /** The answer of the last plan counts also if no process can start. */
  function makeReady(): void {
    try {
      idle ??= opened();
    } catch {
      // The next plan tries again, and fails with the cause.
    }
  }

  async function ask(name: string, ...asked: readonly [file: string, ...unknown[]]): Promise<unknown> {
    const signal = around.stopped();
    signal.throwIfAborted();
    const one = idle ?? opened();
    idle = null;
    let hasAnswered = false;
    const timer = setTimeout(() => one.end(`more than ${limits.timeMs / 1000} seconds`), limits.timeMs);
    const stop = (): void => one.end('cancelled');
    signal.addEventListener('abort', stop);
    const ended = one.ended.then((why): never => {
      signal.throwIfAborted();
      throw fail((KILLED.test(why) ? problems.planningKilled : problems.planningEnded)(asked[0], why));
    });
    try {
      return await Promise.race([one.call(name, ...asked).finally(() => (hasAnswered = true)), ended]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      one.end('answered');
      if (hasAnswered && around.warm) makeReady();
    }
  }
  return {
    submit: async (...asked) => {
      const digest = (await ask('submit', ...asked)) as Digest;
      const plan = await loadPlan(digest, around.store);
      await around.signatures.sign(digest);
      return { plan, digest };
    },
    span: (...asked) => ask('span', ...asked) as ReturnType<Planner['span']>,
  };
}

/** Signals by which Linux (memory is short) or a person ends a process. Reasons of ours are words. */
const KILLED = /^SIG(KILL|TERM|INT|HUP)$/;

type PlanProcess = ReturnType<typeof started>;

/** Starts a process, as the first of a group to which the programs belong that it starts. Its temporary files have a
 * folder, which is removed when it has ended: they hold sources, and a killed process leaves them. An idle process that
 * outlives its worker leaves an empty folder to the sweep. */
function started(around: Around, { heapMb, memoryMb }: typeof LIMITS) {
  const { env, home, flags = [] } = around;
  const own = Object.entries(env).filter(([name]) => PLANNING_VARIABLES.test(name));
  const temporary = around.temporary();
  const said = JSON.stringify({ memoryMb, worker: process.pid });
  const child = fork(join(packageRoot(), 'dist', 'workers', 'plan-main.js'), [said], {
    execArgv: [`--max-old-space-size=${heapMb}`, ...flags],
    env: { ...Object.fromEntries(own), SLIPWAY_HOME: home, TMPDIR: temporary.folder },
    ...{ detached: true, serialization: 'advanced', stdio: ['ignore', 'ignore', 'pipe', 'ipc'] },
  });
  // An idle process keeps no worker from ending.
  for (const handle of [child, child.channel, child.stderr as Socket]) handle?.unref();
  let because = '';
  const end = (why: string): void => {
    because ||= why;
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // All its processes have ended.
    }
  };
  child.once('exit', () => end('')); // Programs outlive a process that was ended from outside.
  const over = new AbortController();
  const ended = endOf(child, () => {
    over.abort();
    return temporary.remove().catch(() => undefined); // The sweep tries again.
  });
  return { call: openRpc(child, worldOf(around, over.signal)), ended: ended.then((why) => because || why), end };
}

/** Returns why a process ended: a limit that it or Node told, else its signal or exit status. Tidies up first. */
async function endOf(child: ChildProcess, tidy: () => Promise<void>): Promise<string> {
  let words = '';
  child.stderr!.on('data', (text: Buffer) => (words = `${words}${text.toString()}`.slice(-4000)));
  try {
    const status = await new Promise<string>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve(signal ?? `status ${code}`));
    });
    return /^slipway: (.*)$/m.exec(words)?.[1] ?? /JavaScript heap out of memory/.exec(words)?.[0] ?? status;
  } finally {
    await tidy();
  }
}

/** Functions that the process may call. Signals cross no channel: `signal` aborts when the process has ended. */
function worldOf({ store, past }: Around, signal: AbortSignal): Functions {
  const { standings, failed, listed, pure, bases } = past;
  const { find, download } = createWheelServer();
  return {
    ...{ read: store.read, create: store.create, putFile: store.putFile, standings, listed, pure, bases },
    failedSteps: async () => (await failed()).steps,
    failedOf: async (plan: Plan) => (await failed()).of(plan),
    find: (address, wanted) => find(address, wanted, signal),
    download: (wheel, how: object) => download(wheel, { ...how, signal } as never),
  } as Functions;
}
