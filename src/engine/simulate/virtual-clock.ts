import { fail } from '../../model/failure.js';
import type { Queue } from '../../model/ids.js';
import type { Skeleton, SkeletonStep } from '../../model/plan.js';
import { MOST_EVENTS, MOST_TASKS } from '../checkpoint/history-limits.js';
import { EDGE_KINDS } from '../run/edges.js';
import { Heap } from '../run/heap.js';
import { Scheduler } from '../run/scheduler.js';
import { simulationStuck } from './errors.js';

/** Start of a release, in milliseconds from the start of the simulation. */
export interface Arrival {
  readonly skeleton: Skeleton;
  readonly atMs: number;
}

export interface Taken {
  readonly release: number;
  readonly step: SkeletonStep;
  /** Time at which its last edge opened. */
  readonly readyMs: number;
  readonly givenMs: number;
  readonly startMs: number;
  readonly endMs: number;
}

interface Release {
  readonly no: number;
  readonly skeleton: Skeleton;
  scheduler: Scheduler;
  /** By step number. */
  readonly endedMs: Float64Array;
  readonly history: HistoryLength;
  inputs: number;
  underWay: number;
  /** Time since which nothing starts because of a long history. Null otherwise. */
  drainingMs: number | null;
}
/** Length of a release's open history, estimated as three events for each workflow task and each step. */
interface HistoryLength {
  tasks: number;
  events: number;
}
const EVENTS_EACH = 3;

export interface Continuations {
  readonly times: number;
  /** Total time in which releases started nothing, so that running steps could end. */
  readonly heldUpMs: number;
}
export interface Played {
  readonly ended: readonly number[];
  readonly continued: Continuations;
}
interface Task {
  readonly release: Release;
  readonly step: number;
  readonly attempt: number;
  readonly givenMs: number;
}
type Happens =
  | { readonly what: 'begin'; readonly no: number }
  | { readonly what: 'end'; readonly task: Task; readonly ms: number };

/** First in, first out, like Temporal's task queues. */
class Line {
  readonly #tasks: (Task | undefined)[] = [];
  #first = 0;

  constructor(public free: number) {}

  add(task: Task): void {
    this.#tasks.push(task);
  }

  take(): Task | null {
    if (this.free === 0 || this.#first === this.#tasks.length) return null;
    const task = this.#tasks[this.#first]!;
    this.#tasks[this.#first++] = undefined;
    this.free--;
    return task;
  }
}

/** Runs the scheduler of real runs on a clock that jumps from event to event. Every step succeeds the first time, gates
 * pass at once, and a queue's slots limit its concurrent steps.
 * @param slots by queue
 * @param tookMs duration of a step
 * @param seen called for every step, in the order of starts */
export function runVirtually(
  arrivals: readonly Arrival[],
  slots: Readonly<Record<Queue, number>>,
  tookMs: (step: SkeletonStep) => number,
  seen: (taken: Taken) => void,
): Played {
  return new VirtualClock(arrivals, slots, tookMs, seen).run();
}

class VirtualClock {
  readonly #happens = new Heap<Happens>();
  readonly #lines: ReadonlyMap<Queue, Line>;
  readonly #ended: number[];
  #open = 0;
  #continued: Continuations = { times: 0, heldUpMs: 0 };

  constructor(
    private readonly arrivals: readonly Arrival[],
    private readonly slots: Readonly<Record<Queue, number>>,
    private readonly tookMs: (step: SkeletonStep) => number,
    private readonly seen: (taken: Taken) => void,
  ) {
    this.#lines = new Map(Object.entries(slots).map(([queue, free]) => [queue, new Line(free)]));
    this.#ended = arrivals.map(() => 0);
    arrivals.forEach(({ atMs }, no) => this.#happens.push(atMs, { what: 'begin', no }));
  }

  run(): Played {
    for (let nowMs = this.#happens.nextAt; nowMs !== null; nowMs = this.#happens.nextAt) {
      // Applies all events of one time before any decision, as a workflow task does.
      const touched = new Set<Release>();
      while (this.#happens.nextAt === nowMs) touched.add(this.#happen(this.#happens.pop()![1], nowMs));
      for (const release of touched) this.#decide(release, nowMs);
      for (const line of this.#lines.values()) this.#takeUp(line, nowMs);
    }
    if (this.#open > 0) throw fail(simulationStuck([`${this.#open} of ${this.arrivals.length} releases`]));
    return { ended: this.#ended, continued: this.#continued };
  }

  #happen(event: Happens, nowMs: number): Release {
    if (event.what === 'begin') return this.#begin(event.no, nowMs);
    const { release, step, attempt } = event.task;
    this.#lines.get(release.skeleton.steps[step]!.on)!.free++;
    release.endedMs[step] = nowMs;
    release.underWay--;
    const ending = { outcome: 'done', ms: event.ms, note: '' } as const;
    release.scheduler.apply({ what: 'ended', step, attempt, ending, atMs: nowMs, no: ++release.inputs });
    return release;
  }

  #begin(no: number, nowMs: number): Release {
    const skeleton = { ...this.arrivals[no]!.skeleton, rehearsal: true, windows: this.slots, unserved: [] };
    const scheduler = new Scheduler(skeleton, { nowMs, random });
    this.#open++;
    const endedMs = new Float64Array(skeleton.steps.length).fill(nowMs);
    const history = { tasks: 0, events: 0 };
    return { no, skeleton, scheduler, endedMs, history, inputs: 0, underWay: 0, drainingMs: null };
  }

  #decide(release: Release, nowMs: number): void {
    const { history } = release;
    history.tasks++;
    history.events += EVENTS_EACH;
    if (history.tasks > MOST_TASKS || history.events > MOST_EVENTS) {
      release.drainingMs ??= nowMs;
      release.scheduler.drain();
    }
    for (const command of release.scheduler.next()) {
      if (command.do === 'start') this.#give({ release, step: command.step, attempt: command.attempt, givenMs: nowMs });
      if (command.do === 'end') {
        this.#ended[release.no] = nowMs;
        this.#open--;
      }
    }
    if (release.drainingMs !== null && release.underWay === 0 && !release.scheduler.ended)
      this.#continue(release, release.drainingMs, nowMs);
  }

  #continue(release: Release, sinceMs: number, nowMs: number): void {
    const { times, heldUpMs } = this.#continued;
    this.#continued = { times: times + 1, heldUpMs: heldUpMs + nowMs - sinceMs };
    release.scheduler = new Scheduler(release.skeleton, { nowMs, random }, release.scheduler.snapshot());
    Object.assign(release.history, { tasks: 0, events: 0 });
    release.drainingMs = null;
    this.#decide(release, nowMs);
  }

  #give(task: Task): void {
    task.release.underWay++;
    task.release.history.events += EVENTS_EACH;
    this.#lines.get(task.release.skeleton.steps[task.step]!.on)!.add(task);
  }

  #takeUp(line: Line, nowMs: number): void {
    for (let task = line.take(); task !== null; task = line.take()) {
      const step = task.release.skeleton.steps[task.step]!;
      const ms = this.tookMs(step);
      this.#happens.push(nowMs + ms, { what: 'end', task, ms });
      const { release, givenMs } = task;
      const ready = readyMs(release, step, this.arrivals[release.no]!.atMs);
      this.seen({ release: release.no, step, readyMs: ready, givenMs, startMs: nowMs, endMs: nowMs + ms });
    }
  }
}

const random = (): number => 0.5;

/** Returns the end of a step's last edge. */
function readyMs({ endedMs }: Release, step: SkeletonStep, begunMs: number): number {
  let ready = begunMs;
  for (const edge of EDGE_KINDS) for (const on of step[edge]) ready = Math.max(ready, endedMs[on]!);
  return ready;
}
