import type { StepId } from '../../model/ids.js';
import type { StepState, StepStatus } from '../../model/messages.js';
import type { Skeleton, SkeletonStep } from '../../model/plan.js';
import type { Wait } from '../outages/sentences.js';
import { longestOf, remaining } from './critical-path.js';
import { dependents, edgeCount, inOrder, type Dependent } from '../run/edges.js';
import { Heap } from '../run/heap.js';
import { isOpen } from '../run/step-progress.js';
import { ReadyQueue } from '../run/ready-queue.js';
import { plannedWindow } from '../run/windows.js';

/** Expected end of a run by durations of earlier runs, and its critical path. */
export interface Forecast {
  /** Milliseconds since 1970. */
  readonly endAtMs: number;
  /** 90th percentile of the end, from the variation of steps on the critical path. */
  readonly likelyByMs: number;
  /** Number of open steps without a known duration. They count as 0, so the end is "at least". */
  readonly unknown: number;
  /** The longest of the running steps that count as ended now: never measured, or beyond their 90th percentile. */
  readonly overdue: { readonly id: StepId; readonly ms: number } | null;
  /** Number of steps that wait for people. They count as answered now. */
  readonly people: number;
  /** The longest wait for a worker or a service. With one the end is unknown, and the times count it as over now. */
  readonly waits: Wait | null;
  readonly path: PathOfRun;
  /** Possible delay of each open step without a later end. */
  readonly slackMs: ReadonlyMap<StepId, number>;
}
export interface PathOfRun {
  /** Critical path: finished steps by duration, open steps by expected duration. */
  readonly ms: number;
  readonly steps: readonly StepId[];
  /** Share of the run's time above its critical path, 0 to 1: waits for workers, people and retries. */
  readonly recoverable: number;
}

const FOR_PEOPLE: readonly StepState[] = ['held', 'at gate'];

interface Stand {
  readonly open: boolean;
  readonly wholeMs: number;
  readonly leftMs: number;
  /** Earliest start. A running step occupies its slot already. */
  readonly fromMs: number;
  readonly running: boolean;
  /** Its 90th percentile above the expected duration. */
  readonly spreadMs: number;
}

/** Forecasts the open steps of a run by a simulation. Each takes its expected duration, in the order and windows of the
 * scheduler. A step without a status has ended.
 * @param nowMs milliseconds since 1970
 * @param slowMs 90th percentile of each step, by number, if known
 * @param waits for workers and services */
export function forecast(
  { steps, windows }: Pick<Skeleton, 'steps' | 'windows'>,
  told: readonly StepStatus[],
  startedAtMs: number,
  nowMs: number,
  slowMs: readonly (number | undefined)[] = [],
  waits: readonly Wait[] = [],
): Forecast {
  const byId = new Map(told.map((step) => [step.id, step]));
  const stands = steps.map((step, index) => standOf(step, byId.get(step.id), nowMs, slowMs[index]));
  const waiting = dependents(steps);
  const order = inOrder(steps, waiting);
  const left = stands.map(({ leftMs }) => leftMs);
  const tails = remaining(order, waiting, left);
  const ends = carriedOn(steps, windows, stands, waiting, tails, nowMs);
  const endAtMs = ends.reduce((latest, end) => Math.max(latest, end), nowMs);
  const open = steps.flatMap((step, index) => (stands[index]!.open ? [{ step, index }] : []));
  const slack = ({ index }: { index: number }): number =>
    endAtMs - (ends[index]! + tails[index]! - stands[index]!.leftMs);
  const whole = stands.map(({ wholeMs }) => wholeMs);
  const path = longest(steps, order, waiting, whole);
  const measurable = open.filter(({ step }) => step.stage !== 'report'); // which stores the measurements
  const late = measurable.filter(({ index }) => stands[index]!.running && stands[index]!.leftMs === 0);
  const [overdue] = late.map(({ step, index }) => ({ id: step.id, ms: whole[index]! })).sort((a, b) => b.ms - a.ms);
  return {
    endAtMs,
    likelyByMs: endAtMs + spreadOf(path.steps, steps, stands),
    unknown: measurable.filter(({ step }) => step.expectedMs === undefined).length,
    overdue: overdue ?? null,
    people: open.filter(({ step }) => FOR_PEOPLE.includes(byId.get(step.id)!.state)).length,
    waits: waits.toSorted((a, b) => a.since - b.since)[0] ?? null,
    path: { ...path, recoverable: recoverable(path.ms, endAtMs - startedAtMs) },
    slackMs: new Map(open.map((one) => [one.step.id, Math.max(0, slack(one))])),
  };
}

export const recoverable = (pathMs: number, wholeMs: number): number =>
  wholeMs <= 0 ? 0 : Math.min(1, Math.max(0, 1 - pathMs / wholeMs));

/** Sums variances, because steps of a chain vary independently. */
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
  if (status === undefined || !isOpen(status)) {
    const wholeMs = status?.ms ?? (status === undefined ? expectedMs : 0);
    return { open: false, wholeMs, leftMs: 0, fromMs: nowMs, running: false, spreadMs: 0 };
  }
  if (status.state === 'running' && !status.queued) {
    const goneMs = Math.max(0, nowMs - (status.startedAt ?? nowMs));
    // A step beyond its median is expected at its 90th percentile.
    const leftMs = Math.max(0, (goneMs < expectedMs ? expectedMs : slowMs) - goneMs);
    const spreadMs = Math.max(0, slowMs - goneMs - leftMs);
    return { open: true, wholeMs: goneMs + leftMs, leftMs, fromMs: nowMs, running: true, spreadMs };
  }
  const fromMs = Math.max(nowMs, status.againAt ?? nowMs);
  const spreadMs = Math.max(0, slowMs - expectedMs);
  return { open: true, wholeMs: expectedMs, leftMs: expectedMs, fromMs, running: false, spreadMs };
}

/** Returns when each step ends, in milliseconds since 1970. Ended steps count as now. */
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
  // Running steps occupy their slots. Ended steps open their edges.
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
    if (events.nextAt === atMs) continue; // handle all events of one moment before slots are assigned
    for (const one of line.take(() => true)) events.push(atMs + stands[one]!.leftMs, { step: one, what: 'ended' });
  }
  return ends;
}

function longest(
  steps: readonly SkeletonStep[],
  order: readonly number[],
  waiting: readonly (readonly Dependent[])[],
  weights: readonly number[],
): { readonly ms: number; readonly steps: readonly StepId[] } {
  const lengths = remaining(order, waiting, weights);
  const path: StepId[] = [];
  const firsts = [...steps.keys()].filter((step) => edgeCount(steps[step]!) === 0);
  const first = longestOf(firsts, lengths);
  const next = (from: number): readonly number[] => waiting[from]!.map(({ step }) => step);
  for (let at = first; at !== undefined; at = longestOf(next(at), lengths))
    if (weights[at]! > 0) path.push(steps[at]!.id);
  return { ms: first === undefined ? 0 : lengths[first]!, steps: path };
}
