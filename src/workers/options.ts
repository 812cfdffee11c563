import { createHash } from 'node:crypto';
import { CONTROL, type Queue } from '../model/ids.js';
import { workerIdentity, workerName, type WorkerName } from '../model/worker.js';

export interface WorkerArguments {
  /** Null: workflows. */
  readonly queue: Queue | null;
  /** True: a supervisor would restart the process at once. After a drain, or in quarantine, it waits instead of
   * ending. */
  readonly kept: boolean;
  /** Deployment whose build this process is, if it executes workflows. Null: none. */
  readonly deployment: string | null;
}

export const USAGE = 'usage: node dist/workers/main.js --queue NAME | --workflows [--deployment NAME] [--kept]';

export function readArguments(argv: readonly string[]): WorkerArguments | null {
  const kept = argv.at(-1) === '--kept';
  const [first, second, ...more] = kept ? argv.slice(0, -1) : argv;
  const named = second === '--deployment' && more.length === 1 ? more[0]! : null;
  if (first === '--workflows' && (second === undefined || named)) return { queue: null, kept, deployment: named };
  if (first === '--queue' && second && more.length === 0) return { queue: second, kept, deployment: null };
  return null;
}

/** Name of the worker's ready file and log. */
export const roleOf = ({ queue }: WorkerArguments): string => queue ?? 'workflows';

/** Concurrent steps in one process. Control steps mostly wait for networks and people. */
export const slotsOf = (queue: Queue): number => (queue === CONTROL ? 8 : 2);

export interface Me {
  readonly worker: WorkerName;
  readonly instance: string;
  readonly identity: string;
}

/** Returns the same worker name for each start from one home: a quarantine applies to a machine, not to a process.
 * @param said SLIPWAY_WORKER_NAME, which replaces the host's name */
export function whoAmI(
  role: string,
  {
    said,
    host,
    home,
    pid,
    nowMs,
  }: { said?: string | undefined; host: string; home: string; pid: number; nowMs: number },
): Me {
  const place = said || `${host}-${createHash('sha256').update(home).digest('hex').slice(0, 6)}`;
  const worker = workerName(role, place.replace(/[^A-Za-z0-9._-]/g, '-'));
  const instance = `${nowMs.toString(36)}-${pid}`;
  return { worker, instance, identity: workerIdentity(worker, instance) };
}
