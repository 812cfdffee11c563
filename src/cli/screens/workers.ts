import type { FleetView, WorkerView } from '../fleet.js';
import { plain, table, type Colours } from '../render/paint.js';

/** Returns the lines of queues with their workers, then of queues without a worker and the machines that could serve them. */
export function workerLines({ workers, unserved, checked }: FleetView, paint: Colours): string[] {
  const head = ['QUEUE', 'WORKER', 'STATE', 'SLOTS', 'POLLERS', 'CAN', 'TOOLS'];
  const lines = workers.length === 0 ? ['No worker serves any queue.'] : table([head, ...workers.map(row)]);
  const none = unserved.map(({ queue, could }) => `  ${plain(queue)}: ${could}`);
  return [
    ...lines,
    ...(checked ? [] : ['', 'This home has no keys/worker.key: strangers cannot be told from workers.']),
    ...inAll(workers),
    ...(none.length === 0 ? [] : ['', paint.bold('Served by nobody; who could'), ...none]),
  ];
}

/** Returns one line for each queue with several workers. */
function inAll(workers: readonly WorkerView[]): readonly string[] {
  const serving = workers.filter(({ state }) => state === 'serving');
  const several = [...new Set(serving.map(({ queue }) => queue))].sort().flatMap((queue) => {
    const mine = serving.filter((worker) => worker.queue === queue);
    const slots = mine.reduce((sum, worker) => sum + worker.slots.used + worker.slots.free, 0);
    return mine.length < 2 ? [] : [`  ${plain(queue)}: ${mine.length} workers, ${slots} slots`];
  });
  return several.length === 0 ? [] : ['', 'In all', ...several];
}

function row({ queue, worker, state, since, slots, pollers, announcement, reason }: WorkerView): string[] {
  const told = state === 'silent' ? `silent since ${since.replace(/\.\d+Z$/, 'Z')}` : state;
  return [
    queue,
    worker,
    reason === undefined ? told : `${told}: ${reason}`,
    `${slots.used} of ${slots.used + slots.free}`,
    String(pollers),
    announcement?.can.join(' ') ?? '-',
    announcement
      ? toolsOf(announcement)
      : state === 'stranger'
        ? "no proof by this home's key"
        : 'not announced in this store',
  ].map(plain);
}

const toolsOf = ({ tools, pythons }: NonNullable<WorkerView['announcement']>): string =>
  [...Object.entries(tools).map(([tool, version]) => `${tool} ${version}`), Object.keys(pythons).join(' ')]
    .filter((part) => part !== '')
    .join(', ');
