import type { OneMore, QueueUse, Simulation } from '../../engine/simulate/simulate.js';
import { counted } from '../../model/counted.js';
import { duration } from '../render/duration.js';
import { plain, table, type Colours } from '../render/paint.js';

interface Look extends Simulation {
  readonly oneMore: readonly OneMore[];
}

/** Returns the screen of a simulation: for each fleet the makespan, the waiting queues, and the worker that saves most. */
export function simulationLines(title: string, looks: readonly Look[], paint: Colours): string[] {
  const [first] = looks;
  if (first === undefined) return [];
  return [
    `${paint.bold(plain(title))}  ${counted(first.steps, 'step')}${first.releases > 1 ? ` in ${first.releases} releases` : ''}, ${durationsText(first)}`,
    ...looks.flatMap((look) => ['', ...lookLines(look, paint)]),
  ];
}

/** Returns the line about the source of the durations. */
function durationsText({ told }: Simulation): string {
  const parts = [
    told.measured > 0 ? `${told.measured} as measured` : '',
    told.said > 0 ? `${told.said} as the fleet file says` : '',
    told.limit > 0 ? `${told.limit} by their time limit` : '',
  ];
  return `times of a release's steps: ${parts.filter((part) => part !== '').join(', ')}`;
}

function lookLines(look: Look, paint: Colours): string[] {
  const { makespanMs, criticalPathMs, release, releases, queues } = look;
  const workers = queues.reduce((sum, queue) => sum + queue.workers, 0);
  const each =
    releases === 1
      ? ''
      : `, a release ${duration(release.meanMs)} on the average and ${duration(release.maxMs)} at most`;
  const head = 'QUEUE|WORKERS|SLOTS|STEPS|WORK|BUSY|WAIT, MEAN|9 IN 10|MOST|ONE MORE SAVES'.split('|');
  const saves = new Map(look.oneMore.map((one) => [one.queue, one]));
  const rows = queues.map((queue) => row(queue, saves.get(queue.queue)!));
  return [
    `${paint.bold(`makespan ${duration(makespanMs)}`)} on ${counted(workers, 'worker')}${each}; critical path ${duration(criticalPathMs)}`,
    ...table([head, ...rows]).map((line) => `  ${line}`),
    ...continuedLines(look),
    `  ${worth(look)}`,
  ];
}

/** Tells what long histories cost. Nothing for a plan that one history holds. */
const continuedLines = ({ continued: { times, heldUpMs } }: Look): string[] =>
  times === 0
    ? []
    : [
        `  Continues as new ${counted(times, 'time')}: nothing starts for ${duration(heldUpMs)}, so that what runs can end.`,
      ];

const row = ({ queue, workers, slots, steps, workMs, utilisation, wait }: QueueUse, { savesMs }: OneMore): string[] => [
  plain(queue),
  String(workers),
  String(slots),
  String(steps),
  duration(workMs),
  `${Math.round(100 * utilisation)} %`,
  ...[wait.meanMs, wait.p90Ms, wait.maxMs].map(duration),
  savesMs < 0 ? `-${duration(-savesMs)}` : savesMs === 0 ? '-' : duration(savesMs),
];

function worth({ oneMore: [best], release, criticalPathMs }: Look): string {
  if (best !== undefined && best.savesMs > 0)
    return `Worth buying: one more worker of ${plain(best.queue)}; a release ends ${duration(best.savesMs)} sooner (${Math.round((100 * best.savesMs) / release.meanMs)} %).`;
  return release.maxMs === criticalPathMs
    ? 'Worth buying: none. The critical path decides: only shorter steps make it shorter.'
    : 'Worth buying: no single worker makes it shorter.';
}
