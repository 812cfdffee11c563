import type { Queue } from '../model/ids.js';

/** What a worker process does: the activities of one queue, or workflows. */
export interface WorkerArguments {
  readonly queue: Queue | null;
  readonly workflows: boolean;
}

export const USAGE = 'usage: node dist/workers/main.js --queue NAME | --workflows';

/** Null where the arguments make no sense. */
export function readArguments(argv: readonly string[]): WorkerArguments | null {
  const [first, second, ...more] = argv;
  if (first === '--workflows' && second === undefined) return { queue: null, workflows: true };
  if (first === '--queue' && second && more.length === 0) return { queue: second, workflows: false };
  return null;
}

/** Name of the worker's ready file and log. */
export const workerName = ({ queue }: WorkerArguments): string => queue ?? 'workflows';

/** Steps under way at once in one process. Control steps mostly wait for networks and people. */
export const slotsOf = (queue: Queue): number => (queue === 'control' ? 8 : 2);
