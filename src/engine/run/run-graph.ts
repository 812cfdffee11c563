import type { StepId } from '../../model/ids.js';
import type { StepState } from '../../model/messages.js';
import type { Skeleton, SkeletonStep } from '../../model/plan.js';
import { apart, cellOf, type CarriedCells } from '../handover/carried-cell.js';
import { isOpen, newProgress, renew, seen, type StepProgress } from './step-progress.js';
import { ofColumn } from '../handover/columns.js';
import { remaining } from '../forecast/critical-path.js';
import { dependents, edgeCount, EDGE_KINDS, inOrder, lets, type Dependent } from './edges.js';
import { weightsOf } from './weights.js';
import { StateCounts } from './state-counts.js';
import { ReadyQueue } from './ready-queue.js';
import { Windows } from './windows.js';

/** The steps of a run as they stood when another took over. */
export interface ResumedSteps {
  /** Numbers of those that are known: all that have not ended. */
  readonly known: readonly number[];
  readonly cells: readonly CarriedCells[];
  /** What each of them adds to the longest path behind it: a `column`. */
  readonly weights?: string;
  /** Instead: their longest paths. */
  readonly paths?: readonly number[];
  readonly beganMs: number;
}

/** The steps of a run as they stand, and what follows from one of them ending. Knows edges, windows and time, and no policy. */
export class RunGraph {
  readonly steps: readonly SkeletonStep[];
  readonly cells: readonly StepProgress[];
  /** Of each step, the longest path from its start to the end of the plan: the longest is started first. */
  readonly paths: readonly number[];
  /** How many may be under way at once. */
  readonly windows: Windows;
  /** Steps that are not settled. */
  open: number;
  nowMs: number;
  /** The run's last round. */
  round = 1;
  /** Asked of a step that no edge holds back any more: true where it is put in line later. */
  sideline: (step: number) => boolean = () => false;
  readonly #cells: StepProgress[];
  readonly #waiting: readonly (readonly Dependent[])[];
  readonly #order: readonly number[];
  readonly #window: ReadyQueue;
  readonly #backingOff = new Set<number>();
  readonly #tally = new StateCounts();

  /** @param onBlocked told of a step that cannot begin any more, with the one behind it; true where it was closed otherwise */
  constructor(
    skeleton: Skeleton,
    nowMs: number,
    private readonly onBlocked: (step: number) => boolean,
    resumed: ResumedSteps | null = null,
  ) {
    const { steps } = skeleton;
    this.steps = steps;
    this.windows = new Windows(skeleton);
    this.#waiting = dependents(steps);
    this.#order = inOrder(steps, this.#waiting);
    this.paths = pathsOf(steps, resumed, (weights) => remaining(this.#order, this.#waiting, weights));
    this.#window = new ReadyQueue(
      (queue) => this.windows.size(queue),
      (step) => steps[step]!.on,
      this.paths,
    );
    this.cells = this.#cells = steps.map((step) => newProgress(edgeCount(step)));
    this.#tally.reset(this.cells);
    this.nowMs = nowMs;
    this.open = steps.length;
    if (resumed === null) this.cells.forEach((cell, step) => cell.open === 0 && this.#ready(step));
    else this.#resume(resumed);
  }

  #resume({ known, cells, beganMs }: ResumedSteps): void {
    for (const cell of this.cells) cell.state = 'done';
    for (const step of known) this.cells[step]!.state = 'waiting';
    for (const row of apart(cells)) this.#cells[row[0]] = cellOf(row, beganMs);
    this.#tally.reset(this.cells);
    const open = known.filter((step) => isOpen(this.cells[step]!));
    this.open = open.length;
    for (const step of open) this.#cells[step]!.open = this.#openEdges(step);
    for (const step of open) this.#takeUp(step, this.cells[step]!);
  }

  /** Where it stood: under way, in line, or waiting for its time. */
  #takeUp(step: number, { state, open, againAtMs, awaitsMs, lined }: StepProgress): void {
    if (state === 'running') this.#window.occupy(step);
    else if (state === 'backing off' && againAtMs !== undefined) this.#backingOff.add(step);
    else if (state === 'backing off' || (state === 'waiting' && open === 0 && (awaitsMs === undefined || lined)))
      this.#window.add(step);
  }

  /** Takes over how steps stand elsewhere; decides nothing. */
  learn(cells: readonly CarriedCells[], beganMs: number): void {
    const touched = new Set<number>();
    for (const row of apart(cells)) {
      const [step] = row;
      const before = this.cells[step]!;
      const wasOpen = isOpen(before);
      const cell = (this.#cells[step] = cellOf(row, beganMs));
      if (cell.problems?.length === 0) cell.problems = before.problems ?? cell.problems; // as told
      this.#tally.moved(before.state, cell.state);
      this.open += Number(isOpen(cell)) - Number(wasOpen);
      touched.add(step);
      if (wasOpen !== isOpen(cell)) for (const { step: other } of this.#waiting[step]!) touched.add(other);
    }
    for (const step of touched) this.#cells[step]!.open = this.#openEdges(step);
  }

  /** Steps that use what it makes. */
  usersOf(step: number): readonly number[] {
    return this.#waiting[step]!.flatMap(({ step: other, edge }) => (edge === 'after' ? [] : [other]));
  }

  /** Of a step that waits; one that is under way may see others begin anew, and is not held back any more. */
  #openEdges(step: number): number {
    let open = 0;
    if (this.cells[step]!.state !== 'waiting') return open;
    for (const edge of EDGE_KINDS) for (const on of this.steps[step]![edge]) if (isOpen(this.cells[on]!)) open++;
    return open;
  }

  /** Of steps that remain, in their order: how much longer the longest path is from each than from those behind it that remain. */
  adds(known: readonly number[]): readonly number[] {
    const remains = new Set(known);
    const behind = (step: number): number =>
      Math.max(0, ...this.#waiting[step]!.map((one) => (remains.has(one.step) ? this.paths[one.step]! : 0)));
    return known.map((step) => this.paths[step]! - behind(step));
  }

  /** How many steps stand so. */
  count(state: StepState): number {
    return this.#tally.count(state);
  }

  #ready(step: number): void {
    this.cells[step]!.readyAtMs = this.nowMs;
    if (!this.sideline(step)) this.#window.add(step);
  }

  /** Takes the steps that may start now, each marked as running. */
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

  /** Asked when a place in the window is free: a step may have ended while it stood in line. */
  #stands(step: number): boolean {
    const { state, open } = this.cells[step]!;
    delete this.cells[step]!.lined;
    return open === 0 && (state === 'waiting' || state === 'backing off');
  }

  /** Done without an attempt of its own: counted as one, which began now. */
  foundKnown(step: number): void {
    const cell = this.cells[step]!;
    cell.attempt++;
    cell.startedAtMs = this.nowMs;
  }

  /** An attempt ended, however it ended. */
  release(step: number): void {
    this.#window.release(step);
  }

  backOff(step: number, inMs: number, because: string): void {
    const cell = this.cells[step]!;
    this.#tally.turn(cell, 'backing off');
    cell.because = because;
    cell.againAtMs = this.nowMs + inMs;
    this.#backingOff.add(step);
    this.retryThoseDue();
  }

  retryThoseDue(): void {
    for (const step of this.#backingOff) if (this.cells[step]!.againAtMs! <= this.nowMs) this.#lineUp(step);
  }

  /** Earliest time at which a step wants to try again; null: none does. */
  get dueAtMs(): number | null {
    let atMs: number | null = null;
    for (const step of this.#backingOff) atMs = Math.min(atMs ?? Infinity, this.cells[step]!.againAtMs!);
    return atMs;
  }

  /** A person wants it tried again: at once, with a new budget. */
  again(step: number): void {
    const cell = this.cells[step]!;
    if (cell.state === 'held') {
      // Its time is that of the work: how long a person took over a word is not.
      delete cell.startedAtMs;
      delete cell.gate; // people are asked anew
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

  /** Puts a step back in line that was taken out of it. */
  #lineUp(step: number): void {
    delete this.cells[step]!.againAtMs;
    this.#backingOff.delete(step);
    this.requeue(step);
  }

  /** It waits for something else than its edges, and stands in no line until it is put there again. */
  setAside(step: number, because: string): void {
    const cell = this.cells[step]!;
    this.#tally.turn(cell, 'waiting');
    cell.because = because;
    delete cell.againAtMs;
    this.#backingOff.delete(step);
  }

  /** In line once more: it was passed over when its turn came. */
  requeue(step: number): void {
    const cell = this.cells[step]!;
    if (cell.awaitsMs !== undefined) cell.lined = true;
    this.#window.add(step);
  }

  /** What it stands before is known: it waits, and holds no place. To ask was no attempt. */
  standAtGate(step: number): void {
    const cell = this.cells[step]!;
    this.#tally.turn(cell, 'at gate');
    cell.heldAtMs = this.nowMs;
    cell.attempt--;
  }

  /** It may go on at once. */
  passGate(step: number): void {
    const cell = this.cells[step]!;
    this.#tally.turn(cell, 'waiting');
    delete cell.heldAtMs;
    this.#lineUp(step);
  }

  /** Failed for good, and waits for a word: whoever waits for it goes on waiting. */
  hold(step: number, because?: string): void {
    const cell = this.cells[step]!;
    this.#tally.turn(cell, 'held');
    cell.heldAtMs = this.nowMs;
    if (because !== undefined) cell.because = because;
    delete cell.againAtMs;
    this.#backingOff.delete(step);
  }

  /** Ends a step for good and tells those who wait for it; a long chain of skips is walked, not recursed into. */
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
        if (lets(edge, seen(this.cells[ended[at]!]!))) {
          if (--cell.open === 0) this.#ready(step);
        } else {
          this.#stopWith(step, cell, ended[at]!);
          ended.push(step);
        }
      }
  }

  /** A step and all that waits for it, directly or through others; each after those that it waits for.
   * @param through the others */
  behind(first: number, through: (step: number) => boolean = () => true): readonly number[] {
    const found = new Set([first]);
    for (const step of found) if (through(step)) for (const { step: next } of this.#waiting[step]!) found.add(next);
    return this.#order.filter((step) => found.has(step));
  }

  /** Steps that ended and still matter: what those wait for that begin anew, and whoever is behind their end.
   * @param from a step that is to begin anew, with all behind it */
  recalled(from?: StepId): ReadonlySet<number> {
    const first = this.steps.findIndex((step) => step.id === from);
    const behind = first < 0 ? [] : this.behind(first);
    const anew = [...behind, ...[...this.cells.keys()].filter((step) => this.cells[step]!.rerun)];
    const known = new Set(anew.flatMap((step) => [step, ...EDGE_KINDS.flatMap((edge) => this.steps[step]![edge])]));
    for (const step of known) {
      const { blame, leftOutWith } = this.cells[step]!;
      for (const other of [blame, leftOutWith]) if (other !== undefined) known.add(other);
    }
    return known;
  }

  /** Forgets what became of steps that are not under way, given as `behind` does: each waits for its edges as if it had not begun. */
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
    if (cell.state !== 'waiting') return; // stopped meanwhile, with one that it waits for
    const edges = EDGE_KINDS.flatMap((edge) => this.steps[step]![edge].map((on) => ({ edge, on })));
    const shut = edges.find(({ edge, on }) => !isOpen(this.cells[on]!) && !lets(edge, seen(this.cells[on]!)));
    if (shut) {
      this.#stopWith(step, cell, shut.on);
      return this.#tell(step);
    }
    cell.open = this.#openEdges(step);
    if (cell.open === 0) this.#ready(step);
  }

  /** Ends a step that has not begun, because one that it waits for did not succeed. */
  #stopWith(step: number, cell: StepProgress, source: number): void {
    if (this.onBlocked(step)) return;
    const cause = this.cells[source]!;
    if (seen(cause) === 'left out') {
      // By the step that somebody left out: told link by link, the last of a long chain would be told in a book.
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
    delete cell.attemptAtMs; // of use only to steps that go on: all others travel with less
    delete cell.awaitsMs;
    delete cell.looked;
    delete cell.anew;
    this.#backingOff.delete(step);
    if (because !== undefined) cell.because = because;
    else delete cell.because;
    this.open--;
  }
}

/** @param along the longest paths that follow from what each step adds */
function pathsOf(
  steps: readonly SkeletonStep[],
  resumed: ResumedSteps | null,
  along: (weights: readonly number[]) => readonly number[],
): readonly number[] {
  if (resumed === null) return along(weightsOf(steps));
  const { known, paths, weights = '' } = resumed;
  const told = paths ?? ofColumn(weights, known.length).map(Number);
  const all = steps.map(() => 0);
  known.forEach((step, at) => (all[step] = told[at]!));
  return paths ? all : along(all);
}
