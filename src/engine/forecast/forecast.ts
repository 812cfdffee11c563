import type { StepId } from '../../model/ids.js';
import type { StepState, StepStatus } from '../../model/messages.js';
import type { Skeleton, SkeletonStep } from '../../model/plan.js';
import { remaining } from './critical-path.js';
import { dependents, edgeCount, inOrder, type Dependent } from '../run/edges.js';
import { Heap } from '../run/heap.js';
import { ReadyQueue } from '../run/ready-queue.js';
import { plannedWindow } from '../run/windows.js';

/** When a run will be done, as far as earlier runs tell, and what decides it. */
export interface Forecast {
  /** Milliseconds since 1970. */
  readonly endAtMs: number;
  /** By then it has ended nine times in ten, as far as the steps of the critical path vary by themselves. */
  readonly likelyByMs: number;
  /** Open steps that nothing is known of: counted as taking no time, so that the end is "at least". */
  readonly unknown: number;
  /** Steps that wait for people: counted as answered now. */
  readonly people: number;
  readonly path: PathOfRun;
  /** Of open steps: how much longer each may take before the run ends later. */
  readonly slackMs: ReadonlyMap<StepId, number>;
}
export interface PathOfRun {
  /** The chain of steps that the run cannot be shorter than: what is done by its time, what is open as expected. */
  readonly ms: number;
  readonly steps: readonly StepId[];
  /** Share of the run's time above its critical path, 0 to 1: what waiting for workers, people and retries costs. */
  readonly recoverable: number;
}

const OPEN: readonly StepState[] = ['waiting', 'running', 'backing off', 'held', 'at gate'];
const FOR_PEOPLE: readonly StepState[] = ['held', 'at gate'];

/** One step as it stands. */
interface Stand {
  readonly open: boolean;
  /** What it took, or will take in all. */
  readonly wholeMs: number;
  /** What of it is still to come. */
  readonly leftMs: number;
  /** Not before this time; it holds a place already where it runs. */
  readonly fromMs: number;
  readonly running: boolean;
  /** How much longer it lasts nine times in ten at most. */
  readonly spreadMs: number;
}

/** Carries the open steps of a run on, on paper: each takes what it took before, in the order and the windows of the scheduler.
 * A step that the status does not tell has ended.
 * @param nowMs milliseconds since 1970
 * @param slowMs what each step takes nine times in ten at most, by its number, where that is known */
export function forecast(
  { steps, windows }: Pick<Skeleton, 'steps' | 'windows'>,
  told: readonly StepStatus[],
  startedAtMs: number,
  nowMs: number,
  slowMs: readonly (number | undefined)[] = [],
): Forecast {
  const byId = new Map(told.map((step) => [step.id, step]));
  const stands = steps.map((step, index) => standOf(step, byId.get(step.id), nowMs, slowMs[index]));
  const waiting = dependents(steps);
  const order = inOrder(steps, waiting);
  const tails = remaining(
    order,
    waiting,
    stands.map(({ leftMs }) => leftMs),
  );
  const ends = carriedOn(steps, windows, stands, waiting, tails, nowMs);
  const endAtMs = ends.reduce((latest, end) => Math.max(latest, end), nowMs);
  const open = steps.flatMap((step, index) => (stands[index]!.open ? [{ step, index }] : []));
  const slack = ({ index }: { index: number }): number =>
    endAtMs - (ends[index]! + tails[index]! - stands[index]!.leftMs);
  const path = longest(
    steps,
    order,
    waiting,
    stands.map(({ wholeMs }) => wholeMs),
  );
  return {
    endAtMs,
    likelyByMs: endAtMs + spreadOf(path.steps, steps, stands),
    // The report writes down what was measured, and is not in it.
    unknown: open.filter(({ step }) => step.expectedMs === undefined && step.stage !== 'report').length,
    people: open.filter(({ step }) => FOR_PEOPLE.includes(byId.get(step.id)!.state)).length,
    path: { ...path, recoverable: recoverable(path.ms, endAtMs - startedAtMs) },
    slackMs: new Map(open.map((one) => [one.step.id, Math.max(0, slack(one))])),
  };
}

/** Share of a run's time above its critical path. */
export const recoverable = (pathMs: number, wholeMs: number): number =>
  wholeMs <= 0 ? 0 : Math.min(1, Math.max(0, 1 - pathMs / wholeMs));

/** Steps of a chain vary by themselves: all of them are not slow at once, so squares are added. */
function spreadOf(path: readonly StepId[], steps: readonly SkeletonStep[], stands: readonly Stand[]): number {
  const on = new Set(path);
  const squares = steps.map(({ id }, index) => (on.has(id) ? stands[index]!.spreadMs ** 2 : 0));
  return Math.round(Math.sqrt(squares.reduce((sum, square) => sum + square, 0)));
}

function standOf(
  { expectedMs = 0 }: SkeletonStep,
  status: StepStatus | undefined,
  nowMs: number,
  slowMs = expectedMs,
): Stand {
  if (status === undefined || !OPEN.includes(status.state)) {
    const wholeMs = status?.ms ?? (status === undefined ? expectedMs : 0);
    return { open: false, wholeMs, leftMs: 0, fromMs: nowMs, running: false, spreadMs: 0 };
  }
  if (status.state === 'running') {
    const goneMs = Math.max(0, nowMs - (status.startedAt ?? nowMs));
    // One that has outrun half of its times is a slow one.
    const leftMs = Math.max(0, (goneMs < expectedMs ? expectedMs : slowMs) - goneMs);
    const spreadMs = Math.max(0, slowMs - goneMs - leftMs);
    return { open: true, wholeMs: goneMs + leftMs, leftMs, fromMs: nowMs, running: true, spreadMs };
  }
  const fromMs = Math.max(nowMs, status.againAt ?? nowMs);
  const spreadMs = Math.max(0, slowMs - expectedMs);
  return { open: true, wholeMs: expectedMs, leftMs: expectedMs, fromMs, running: false, spreadMs };
}

/** When each step ends, in milliseconds since 1970; those that have ended: now. */
function carriedOn(
  steps: readonly SkeletonStep[],
  windows: Skeleton['windows'],
  stands: readonly Stand[],
  waiting: readonly (readonly Dependent[])[],
  tails: readonly number[],
  nowMs: number,
): readonly number[] {
  const ends = steps.map(() => nowMs);
  const left = steps.map(edgeCount);
  const line = new ReadyQueue(
    (queue) => plannedWindow(windows, queue),
    (step) => steps[step]!.on,
    tails,
  );
  const events = new Heap<{ readonly step: number; readonly what: 'ready' | 'ended' }>();
  const startable = (step: number, atMs: number): void =>
    events.push(Math.max(atMs, stands[step]!.fromMs), { step, what: 'ready' });
  const ended = (step: number, atMs: number): void => {
    ends[step] = atMs;
    for (const { step: next } of waiting[step]!)
      if (--left[next]! === 0 && stands[next]!.open && !stands[next]!.running) startable(next, atMs);
  };
  // Those that run hold their places; those that have ended let others go on.
  const running = stands.flatMap((stand, step) => (stand.running ? [step] : []));
  running.forEach((step) => line.occupy(step));
  running.forEach((step) => events.push(nowMs + stands[step]!.leftMs, { step, what: 'ended' }));
  const free = stands.flatMap(({ open, running: runs }, step) => (open && !runs && left[step] === 0 ? [step] : []));
  free.forEach((step) => startable(step, nowMs));
  stands.forEach(({ open }, step) => open || ended(step, nowMs));
  for (let next = events.pop(); next !== null; next = events.pop()) {
    const [atMs, { step, what }] = next;
    if (what === 'ready') line.add(step);
    else {
      line.release(step);
      ended(step, atMs);
    }
    if (events.nextAt === atMs) continue; // all that happens at one time is seen before places are given away
    for (const one of line.take(() => true)) events.push(atMs + stands[one]!.leftMs, { step: one, what: 'ended' });
  }
  return ends;
}

/** The longest chain of the whole graph, by number. */
function longest(
  steps: readonly SkeletonStep[],
  order: readonly number[],
  waiting: readonly (readonly Dependent[])[],
  weights: readonly number[],
): { readonly ms: number; readonly steps: readonly StepId[] } {
  const lengths = remaining(order, waiting, weights);
  const best = (among: readonly number[]): number | undefined =>
    among.reduce<number | undefined>((a, b) => (a !== undefined && lengths[a]! >= lengths[b]! ? a : b), undefined);
  const path: StepId[] = [];
  const first = best([...steps.keys()].filter((step) => edgeCount(steps[step]!) === 0));
  for (let at = first; at !== undefined; at = best(waiting[at]!.map(({ step }) => step)))
    if (weights[at]! > 0) path.push(steps[at]!.id);
  return { ms: first === undefined ? 0 : lengths[first]!, steps: path };
}
