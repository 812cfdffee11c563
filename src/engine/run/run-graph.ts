import { NEWEST_ENGINE } from '../../model/engines.js';
import { taskQueueOf } from '../../model/kinds.js';
import type { StepState } from '../../model/messages.js';
import type { Skeleton, SkeletonStep } from '../../model/plan.js';
import type { StepRow } from '../checkpoint/snapshot.js';
import { isOpen, isUntouched, newProgress, renew, seen, type StepProgress } from './step-progress.js';
import { remaining } from '../forecast/critical-path.js';
import { dependents, edgeCount, EDGE_KINDS, inOrder, lets, type Dependent } from './edges.js';
import { weightsOf } from './weights.js';
import { StateCounts } from './state-counts.js';
import { ReadyQueue } from './ready-queue.js';
import { Windows } from './windows.js';

/** The steps of a run with their progress, and the state machine of a step. It has edges, windows and time, but no
 * policy. */
export class RunGraph {
  readonly steps: readonly SkeletonStep[];
  readonly cells: readonly StepProgress[];
  /** Longest path from each step's start to the end of the plan. The step with the longest starts first. */
  readonly paths: readonly number[];
  /** Limits of concurrent steps by queue. */
  readonly windows: Windows;
  open: number;
  nowMs: number;
  round = 1;
  /** Version of the rules: engine-versions.ts. */
  engine: number = NEWEST_ENGINE;
  /** Called when the last edge of a step opens. Returns true to queue the step later. */
  sideline: (step: number) => boolean = () => false;
  readonly #cells: StepProgress[];
  readonly #waiting: readonly (readonly Dependent[])[];
  readonly #order: readonly number[];
  readonly #window: ReadyQueue;
  readonly #backingOff = new Set<number>();
  readonly #tally = new StateCounts();

  /** @param onBlocked called for a step that can no longer start. Returns true if it has ended the step itself. */
  constructor(
    skeleton: Skeleton,
    nowMs: number,
    private readonly onBlocked: (step: number) => boolean,
    resumed: readonly StepRow[] | null = null,
  ) {
    const { steps } = skeleton;
    this.steps = steps;
    this.windows = new Windows(skeleton);
    this.#waiting = dependents(steps);
    this.#order = inOrder(steps, this.#waiting);
    this.paths = remaining(this.#order, this.#waiting, weightsOf(steps));
    this.#window = new ReadyQueue(
      (queue) => this.windows.size(queue),
      (step) => taskQueueOf(steps[step]!),
      this.paths,
      (step) => steps[step]!.pool,
    );
    this.cells = this.#cells = steps.map((step) => newProgress(edgeCount(step)));
    this.#tally.reset(this.cells);
    this.nowMs = nowMs;
    this.open = steps.length;
    if (resumed === null) this.cells.forEach((cell, step) => cell.open === 0 && this.#ready(step));
    else this.#resume(resumed);
  }

  #resume(rows: readonly StepRow[]): void {
    for (const [step, progress] of rows) this.#cells[step] = { ...progress, open: 0 };
    this.#tally.reset(this.cells);
    const open = [...this.cells.keys()].filter((step) => isOpen(this.cells[step]!));
    this.open = open.length;
    for (const step of open) this.#cells[step]!.open = this.#openEdges(step);
    for (const step of open) this.#takeUp(step, this.cells[step]!);
  }

  /** Restores a step: running, queued, or in back-off. */
  #takeUp(step: number, { state, open, againAtMs, awaitsMs, lined }: StepProgress): void {
    if (state === 'running') this.#window.occupy(step);
    else if (state === 'backing off' && againAtMs !== undefined) this.#backingOff.add(step);
    else if (state === 'backing off' || (state === 'waiting' && open === 0 && (awaitsMs === undefined || lined)))
      this.#window.add(step);
  }

  /** Returns the progress of all steps that differ from their initial state. */
  rows(): readonly StepRow[] {
    return this.cells.flatMap((cell, step): readonly StepRow[] => {
      if (isUntouched(cell)) return [];
      const { open: _, ...progress } = cell;
      return [[step, progress]];
    });
  }

  usersOf(step: number): readonly number[] {
    return this.#waiting[step]!.flatMap(({ step: other, edge }) => (edge === 'after' ? [] : [other]));
  }

  /** Counts the blocking edges of a waiting step. A running step is never blocked again, even if one of its needs is
   * rerun. */
  #openEdges(step: number): number {
    let open = 0;
    if (this.cells[step]!.state !== 'waiting') return open;
    for (const edge of EDGE_KINDS) for (const on of this.steps[step]![edge]) if (isOpen(this.cells[on]!)) open++;
    return open;
  }

  count(state: StepState): number {
    return this.#tally.count(state);
  }

  #ready(step: number): void {
    this.cells[step]!.readyAtMs = this.nowMs;
    if (!this.sideline(step)) this.#window.add(step);
  }

  /** Removes the steps that may start now from the queue, and marks each as running. */
  start(may: (step: number) => boolean): readonly number[] {
    const taken = this.#window.take((step) => this.#stands(step) && may(step));
    for (const step of taken) {
      const cell = this.cells[step]!;
      this.#tally.turn(cell, 'running');
      cell.attempt++;
      cell.startedAtMs ??= this.nowMs;
      cell.attemptAtMs = this.nowMs;
      this.#backingOff.delete(step);
      delete cell.againAtMs;
      delete cell.because;
    }
    return taken;
  }

  /** Whether a queued step may still start. It may have ended meanwhile. */
  #stands(step: number): boolean {
    const { state, open } = this.cells[step]!;
    delete this.cells[step]!.lined;
    return open === 0 && (state === 'waiting' || state === 'backing off');
  }

  /** Counts a cache hit as an attempt that began now. */
  foundKnown(step: number): void {
    const cell = this.cells[step]!;
    cell.attempt++;
    cell.startedAtMs = this.nowMs;
  }

  release(step: number): void {
    this.#window.release(step);
  }

  /** @param togetherMs the retry comes at the next multiple of it */
  backOff(step: number, inMs: number, because: string, togetherMs = 1): void {
    const cell = this.cells[step]!;
    this.#tally.turn(cell, 'backing off');
    cell.because = because;
    cell.againAtMs = Math.ceil((this.nowMs + inMs) / togetherMs) * togetherMs;
    this.#backingOff.add(step);
    this.retryThoseDue();
  }

  retryThoseDue(): void {
    for (const step of this.#backingOff) if (this.cells[step]!.againAtMs! <= this.nowMs) this.#lineUp(step);
  }

  /** The earliest retry of a step in back-off, and which step and why. Null if there is none. */
  get due(): { readonly atMs: number; readonly story: string } | null {
    let [first, atMs] = [-1, Infinity];
    for (const step of this.#backingOff)
      if (this.cells[step]!.againAtMs! < atMs) [first, atMs] = [step, this.cells[step]!.againAtMs!];
    return first < 0 ? null : { atMs, story: `${this.steps[first]!.id}: ${this.cells[first]!.because}` };
  }

  /** Retries a step at once with a new budget, on an operator's request. */
  again(step: number): void {
    const cell = this.cells[step]!;
    if (cell.state === 'held') {
      // Its duration excludes the time in which it was held.
      delete cell.startedAtMs;
      delete cell.gate; // needs new approvals
    }
    this.#tally.turn(cell, 'waiting');
    cell.failures.length = 0;
    delete cell.because;
    delete cell.heldAtMs;
    delete cell.gaveUp;
    delete cell.awaitsMs;
    delete cell.refusals;
    delete cell.runnersLost;
    cell.readyAtMs = this.nowMs;
    this.#lineUp(step);
  }

  #lineUp(step: number): void {
    delete this.cells[step]!.againAtMs;
    this.#backingOff.delete(step);
    this.requeue(step);
  }

  /** Makes a step wait for something other than its edges. It is not queued until `requeue`. */
  setAside(step: number, because: string): void {
    const cell = this.cells[step]!;
    this.#tally.turn(cell, 'waiting');
    cell.because = because;
    delete cell.againAtMs;
    this.#backingOff.delete(step);
  }

  /** Returns a passed-over step to the queue. */
  requeue(step: number): void {
    const cell = this.cells[step]!;
    if (cell.awaitsMs !== undefined) cell.lined = true;
    this.#window.add(step);
  }

  /** Makes an opened gate wait. It uses no slot, and its opening was no attempt. */
  standAtGate(step: number): void {
    const cell = this.cells[step]!;
    this.#tally.turn(cell, 'at gate');
    cell.heldAtMs = this.nowMs;
    cell.attempt--;
  }

  passGate(step: number): void {
    const cell = this.cells[step]!;
    this.#tally.turn(cell, 'waiting');
    delete cell.heldAtMs;
    this.#lineUp(step);
  }

  /** Holds a step that failed for good until an action comes. Its dependents keep waiting. */
  hold(step: number, because?: string): void {
    const cell = this.cells[step]!;
    this.#tally.turn(cell, 'held');
    cell.heldAtMs = this.nowMs;
    if (because !== undefined) cell.because = because;
    delete cell.againAtMs;
    this.#backingOff.delete(step);
  }

  /** Ends a step for good and updates its dependents. It loops, because a recursion would overflow on a long chain of
   * skips. */
  settle(first: number, state: StepState, because?: string): void {
    this.close(first, state, because);
    this.#tell(first);
  }

  #tell(first: number): void {
    const ended = [first];
    for (let at = 0; at < ended.length; at++)
      for (const { step, edge } of this.#waiting[ended[at]!]!) {
        const cell = this.cells[step]!;
        if (cell.state !== 'waiting') continue;
        if (lets(this, { step, edge }, ended[at]!)) {
          if (--cell.open === 0) this.#ready(step);
        } else {
          this.#stopWith(step, cell, ended[at]!);
          ended.push(step);
        }
      }
  }

  /** Returns a step and all its direct and indirect dependents, in topological order.
   * @param through whether to follow the dependents of a step */
  behind(first: number, through: (step: number) => boolean = () => true): readonly number[] {
    const found = new Set([first]);
    for (const step of found) if (through(step)) for (const { step: next } of this.#waiting[step]!) found.add(next);
    return this.#order.filter((step) => found.has(step));
  }

  /** Resets steps that are not running, in the order of `behind`. Each waits for its edges as if it had not begun. */
  renew(steps: readonly number[]): void {
    for (const step of steps) {
      if (!isOpen(this.cells[step]!)) this.open++;
      this.#backingOff.delete(step);
      this.#tally.turn(this.cells[step]!, 'waiting');
      renew(this.cells[step]!);
    }
    for (const step of steps) this.#lookAtEdges(step);
  }

  #lookAtEdges(step: number): void {
    const cell = this.cells[step]!;
    if (cell.state !== 'waiting') return; // it was stopped meanwhile, with one of its needs
    const edges = EDGE_KINDS.flatMap((edge) => this.steps[step]![edge].map((on) => ({ edge, on })));
    const shut = edges.find(({ edge, on }) => !isOpen(this.cells[on]!) && !lets(this, { step, edge }, on));
    if (shut) {
      this.#stopWith(step, cell, shut.on);
      return this.#tell(step);
    }
    cell.open = this.#openEdges(step);
    if (cell.open === 0) this.#ready(step);
  }

  /** Ends a step that has not started, because one of its edges failed. */
  #stopWith(step: number, cell: StepProgress, source: number): void {
    if (this.onBlocked(step)) return;
    const cause = this.cells[source]!;
    if (seen(cause) === 'left out') {
      // Name the skipped step, not every link: the reason of a long chain would be endless.
      cell.leftOutWith = cause.leftOutWith ?? source;
      const { id } = this.steps[cell.leftOutWith]!;
      const why = this.cells[cell.leftOutWith]!.because ?? '';
      return this.close(step, 'skipped', `needs ${id}, which was left out: ${why}`);
    }
    cell.blame = cause.blame ?? source;
    const how = this.cells[cell.blame]!.state === 'cancelled' ? 'was cancelled' : 'failed';
    this.close(step, 'skipped', `${this.steps[cell.blame]!.id} ${how}`);
  }

  close(step: number, state: StepState, because?: string): void {
    const cell = this.cells[step]!;
    this.#tally.turn(cell, state);
    delete cell.againAtMs;
    delete cell.heldAtMs;
    delete cell.attemptAtMs; // only open steps need it; dropping it keeps the payload small
    delete cell.awaitsMs;
    delete cell.looked;
    delete cell.anew;
    this.#backingOff.delete(step);
    if (because !== undefined) cell.because = because;
    else delete cell.because;
    this.open--;
  }
}
