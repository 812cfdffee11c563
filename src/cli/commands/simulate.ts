import { expectations, expecting } from '../../engine/forecast/durations.js';
import {
  oneMore,
  simulate as carryOut,
  type Load,
  type OneMore,
  type Simulation,
  lackingQueues,
} from '../../engine/simulate/simulate.js';
import { digestOf } from '../../model/digest.js';
import { fail, type Problem } from '../../model/failure.js';
import type { Fleet } from '../../model/fleet.js';
import type { Queue } from '../../model/ids.js';
import type { Skeleton } from '../../model/plan.js';
import { problems } from '../../plan/errors.js';
import { inOrder } from '../../plan/in-order.js';
import type { ReadFile } from '../../plan/read/release-file.js';
import type { CommandSpec, Input } from '../command.js';
import { fleetMissing, notACount } from '../errors.js';
import type { Ports } from '../ports.js';
import { colours } from '../render/paint.js';
import { simulationLines } from '../screens/simulation.js';

export const simulate: CommandSpec<Ports> = {
  name: 'simulate',
  summary: 'how long a release takes on given machines, who waits for whom, and what one more worker saves',
  arguments: [
    { name: '[plan]', help: 'release file, plan (`plan --json`) or digest of a plan (default: slipway.yaml)' },
  ],
  options: [
    { flags: '--fleet <file>', help: 'how many workers serve each queue (config/fleet.yaml says how to write it)' },
    {
      flags: '--workers <list>',
      help: 'so many workers for every queue of the plan instead; several numbers are compared',
    },
    { flags: '--releases <n>', help: 'so many releases, one after another (default: 1)' },
    { flags: '--every <duration>', help: 'from the begin of one to the begin of the next: 15m' },
    { flags: '--profile <name>', help: 'addresses and credentials behind the targets', default: 'local' },
    { flags: '--json', help: 'all figures as one JSON object' },
  ],
  async run({ args, options }, io, ports) {
    const load = loadIn(options);
    const counts = countsIn(options);
    const given = typeof options['fleet'] === 'string' ? await ports.fleet(options['fleet']) : null;
    if (given === null && counts.length === 0) throw fail(fleetMissing());
    const plan = await ports.namedPlan(args['plan'] ?? 'slipway.yaml', String(options['profile']));
    const { name, version } = plan.release;
    const queues = await ports.queues();
    const { skeletonOf } = await import('../../plan/skeleton.js'); // it loads schemas of features
    const bare = skeletonOf(plan, digestOf(plan, ports.hash), queues);
    const faults = given === null || counts.length > 0 ? [] : fleetFaults(given, bare, queues);
    if (faults.length > 0) throw fail(faults);
    const skeleton = expecting(bare, expectations(await ports.durations(name), name));
    const file = given?.content ?? null;
    const fleets = counts.length === 0 ? [file!] : counts.map((workers) => manned(skeleton, workers, file));
    const looks = fleets.map((fleet) => look(skeleton, fleet, load));
    if (options['json'] === true) io.out(JSON.stringify({ name, version, plan: bare.plan, simulations: looks }));
    else io.out(simulationLines(`${name} ${version}`, looks, colours(io.terminal.colour)).join('\n'));
    return 0;
  },
};

/** The simulation of a plan on one fleet. */
export interface Look extends Simulation {
  readonly oneMore: readonly OneMore[];
}

function look(skeleton: Skeleton, fleet: Fleet, load: Load): Look {
  const simulation = carryOut(skeleton, fleet, load);
  return { ...simulation, oneMore: oneMore(skeleton, fleet, simulation, load) };
}

/** The same number of workers on every queue of the plan; slots and times stay as the fleet file says. */
function manned({ steps }: Skeleton, workers: number, given: Fleet | null): Fleet {
  const queues = [...new Set(steps.map(({ on }) => on))];
  const crew = (queue: string): Fleet['queues'][string] => ({ workers, slots: given?.queues[queue]?.slots ?? 1 });
  return { queues: Object.fromEntries(queues.map((queue) => [queue, crew(queue)])), durations: given?.durations ?? {} };
}

const MOST_WORKERS = 100_000;

function countsIn(options: Input['options']): readonly number[] {
  const given = options['workers'];
  if (typeof given !== 'string') return [];
  const counts = given.split(',').map(Number);
  if (!counts.every((count) => Number.isInteger(count) && count >= 0 && count <= MOST_WORKERS) || given.trim() === '')
    throw fail(notACount('workers', given, '--workers 4,16,64'));
  return counts;
}

const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const MOST_RELEASES = 10_000;

function loadIn(options: Input['options']): Load {
  const releases = Number(options['releases'] ?? 1);
  if (!Number.isInteger(releases) || releases < 1 || releases > MOST_RELEASES)
    throw fail(notACount('releases', String(options['releases']), '--releases 50'));
  const every = String(options['every'] ?? '0s');
  const [, count, unit] = /^(\d{1,6})(s|m|h|d)$/.exec(every) ?? [];
  if (count === undefined) throw fail(notACount('every', every, '--every 15m'));
  return { releases, everyMs: Number(count) * UNITS[unit as keyof typeof UNITS] };
}

/** Returns the problems of a fleet file for this plan: unknown queues, and queues of the plan without a worker.
 * @param known queues of this installation */
function fleetFaults(
  { content, at }: ReadFile<Fleet>,
  plan: Skeleton,
  known: Readonly<Record<Queue, unknown>>,
): readonly Problem[] {
  const names = new Set([...plan.steps.map(({ on }) => on), ...Object.keys(known)]);
  const strange = Object.keys(content.queues).filter((queue) => !names.has(queue));
  return inOrder([
    ...strange.map((queue) => problems.unknownQueue(at(['queues', queue], 'key'), queue, names)),
    // The problem of a missing queue is placed at `queues:`.
    ...lackingQueues(plan, content).map((problem) => ({
      ...problem,
      ...at(['queues', problem.path!.slice('queues.'.length)], 'key'),
      path: problem.path!,
    })),
  ]);
}
