import { createHash } from 'node:crypto';
import { CONTROL, type Queue } from '../model/ids.js';
import { workerIdentity, workerName, type WorkerName } from '../model/worker.js';

/** What a worker process does: the activities of one queue, or workflows. */
export interface WorkerArguments {
  readonly queue: Queue | null;
  readonly workflows: boolean;
  /** Kept by a supervisor, which would start it again at once: after a drain, or in quarantine, it stands by instead of ending. */
  readonly kept: boolean;
}

export const USAGE = 'usage: node dist/workers/main.js --queue NAME | --workflows [--kept]';

/** Null where the arguments make no sense. */
export function readArguments(argv: readonly string[]): WorkerArguments | null {
  const kept = argv.at(-1) === '--kept';
  const [first, second, ...more] = kept ? argv.slice(0, -1) : argv;
  if (first === '--workflows' && second === undefined) return { queue: null, workflows: true, kept };
  if (first === '--queue' && second && more.length === 0) return { queue: second, workflows: false, kept };
  return null;
}

/** Name of the worker's ready file and log. */
export const roleOf = ({ queue }: WorkerArguments): string => queue ?? 'workflows';

/** Steps under way at once in one process. Control steps mostly wait for networks and people. */
export const slotsOf = (queue: Queue): number => (queue === CONTROL ? 8 : 2);

/** How a worker is known to people and to Temporal. */
export interface Me {
  readonly worker: WorkerName;
  readonly instance: string;
  readonly identity: string;
}

/** The same name each time it starts from one home: a quarantine is about a machine, not about a process.
 * @param said SLIPWAY_WORKER_NAME, in place of the host's name */
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
