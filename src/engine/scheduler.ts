import type { Problem } from '../model/failure.js';
import type { KindName } from '../model/kinds.js';
import type { StepState, StepStatus, Verdict, WaitingQueue } from '../model/messages.js';
import type { Skeleton, SkeletonStep } from '../model/plan.js';
import { Absence, whoCould } from './absence.js';
import { isOpen, newCell, seen, type Cell } from './cell.js';
import { remaining } from './critical-path.js';
import { dependents, edgeCount, inOrder, isAfterOnly, lets, type Dependent } from './edges.js';
import type { Command, Ending, Numbered } from './inputs.js';
import { nobodyCame } from './errors.js';
import { classOf, next } from './next-after-failure.js';
import { statusOf } from './status.js';
import { verdictOf } from './verdict.js';
import { Window } from './window.js';

/** Kinds that change what users of a target see: a conflict stops those that have not begun. */
const PUBLISHES: readonly KindName[] = ['publishArtifacts', 'movePointer'];

export interface SchedulerOptions {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Uniform in [0, 1). The same inputs and the same chance give the same commands. */
  readonly random: () => number;
}

/** Decides what a run does next. Pure: it knows the skeleton and the inputs applied so far, and nothing of time,
 * chance or Temporal but what they bring. Use: `for (command of next()) carry it out; apply(input); …` until `ended`. */
export class Scheduler {
  /** Set once `next()` has answered the command `end`. */
  ended: Verdict | null = null;
  /** Number of the last input applied. */
  lastApplied = 0;

  readonly #steps: readonly SkeletonStep[];
  readonly #cells: readonly Cell[];
  readonly #waiting: readonly (readonly Dependent[])[];
  readonly #window: Window;
  readonly #absence: Absence;
  #nowMs: number;
  #open: number;
  #aborts: number[] = [];
  #wakeAtMs: number | null = null;
  #cancelled: string | null = null;
  #conflictIn: number | null = null;
  readonly #backingOff = new Set<number>();

  constructor(
    private readonly skeleton: Skeleton,
    private readonly options: SchedulerOptions,
  ) {
    const { steps, windows } = skeleton;
    this.#steps = steps;
    this.#waiting = dependents(steps);
    const paths = remaining(
      inOrder(steps, this.#waiting),
      this.#waiting,
      steps.map((step) => step.limitMs),
    );
    this.#window = new Window(windows, (step) => steps[step]!.on, paths);
    this.#cells = steps.map((step) => newCell(edgeCount(step)));
    this.#absence = new Absence(steps, this.#cells);
    this.#absence.set(skeleton.unserved ?? []);
    this.#nowMs = options.nowMs;
    this.#open = steps.length;
    this.#cells.forEach((cell, step) => cell.open === 0 && this.#ready(step));
  }

  get cancelling(): boolean {
    return this.#cancelled !== null;
  }

  status(): readonly StepStatus[] {
    return statusOf(this.#steps, this.#cells, this.skeleton.dropped, this.#absence);
  }

  /** Queues that nobody serves and that steps wait for. */
  waiting(): readonly WaitingQueue[] {
    return this.#absence.waiting();
  }

  apply(input: Numbered): void {
    if (input.no <= this.lastApplied || this.ended) return;
    this.lastApplied = input.no;
    this.#nowMs = Math.max(this.#nowMs, input.atMs);
    switch (input.what) {
      case 'ended':
        return this.#attemptEnded(input.step, input.attempt, input.ending);
      case 'wake':
        this.#wakeAtMs = null; // it has fired: whoever still waits asks for a new one
        return this.#retryThoseDue();
      case 'fleet':
        return this.#absence.set(input.unserved);
      case 'cancel':
        return this.#cancel(input.reason);
      default:
        return input satisfies never;
    }
  }

  /** Commands since the last call, in the order to carry them out. */
  next(): readonly Command[] {
    if (this.ended) return [];
    this.#giveUpThoseDue();
    const aborts: Command[] = this.#aborts.splice(0).map((step) => ({ do: 'abort', step }));
    const starts = this.#window.take((step) => this.#mayStart(step)).map((step) => this.#start(step));
    return [...aborts, ...starts, ...this.#timer(), ...this.#end()];
  }

  #start(step: number): Command {
    const cell = this.#cells[step]!;
    cell.state = 'running';
    cell.attempt++;
    cell.startedAtMs ??= this.#nowMs;
    delete cell.againAtMs;
    delete cell.because;
    return { do: 'start', step, attempt: cell.attempt };
  }

  #ready(step: number): void {
    this.#cells[step]!.readyAtMs = this.#nowMs;
    this.#window.add(step);
  }

  /** Asked when a place in the window is free: a step may have been skipped while it stood in line. */
  #mayStart(step: number): boolean {
    return this.#cells[step]!.state === 'waiting' || this.#cells[step]!.state === 'backing off';
  }

  #timer(): readonly Command[] {
    let atMs = this.#absence.nextMs();
    for (const step of this.#backingOff) atMs = Math.min(atMs ?? Infinity, this.#cells[step]!.againAtMs!);
    if (atMs === this.#wakeAtMs) return [];
    this.#wakeAtMs = atMs;
    return [{ do: 'wakeAt', atMs }];
  }

  #end(): readonly Command[] {
    if (this.#open > 0) return [];
    const { rehearsal } = this.skeleton;
    this.ended = verdictOf(this.#steps, this.#cells, { rehearsal, cancelled: this.#cancelled });
    return [{ do: 'end', verdict: this.ended }];
  }

  #attemptEnded(step: number, attempt: number, ending: Ending): void {
    const cell = this.#cells[step];
    if (cell?.state !== 'running' || cell.attempt !== attempt) return;
    this.#window.release(step);
    if (ending.outcome === 'failed') return this.#attemptFailed(step, cell, ending.problems);
    delete cell.problems;
    cell.note = ending.note;
    cell.ms = ending.ms;
    this.#settle(step, ending.outcome);
  }

  #attemptFailed(step: number, cell: Cell, problems: readonly Problem[]): void {
    const found = classOf(problems);
    cell.problems = problems;
    cell.ms = this.#nowMs - cell.startedAtMs!;
    if (found === 'cancelled' && this.#stopsOnCancel(step)) return this.#settle(step, 'cancelled', this.#cancelled!);
    if (found === 'cancelled' && cell.gaveUp) return this.#nobodyCame(step);
    // Stopped, but not by us: its worker was shut down.
    const last = found === 'cancelled' ? 'lost' : found;
    cell.failures.push(last);
    const move = next(this.#steps[step]!.retry, cell.failures, this.options.random());
    if (move.do === 'again' && !this.#stopsOnCancel(step) && !this.#stopsOnConflict(step))
      return this.#backOff(step, cell, move.inMs, move.because);
    this.#settle(step, 'failed');
    if (last === 'conflict') this.#conflict(step);
  }

  #backOff(step: number, cell: Cell, inMs: number, because: string): void {
    cell.state = 'backing off';
    cell.because = because;
    cell.againAtMs = this.#nowMs + inMs;
    this.#backingOff.add(step);
    this.#retryThoseDue();
  }

  #retryThoseDue(): void {
    for (const step of this.#backingOff) {
      const cell = this.#cells[step]!;
      if (cell.againAtMs! > this.#nowMs) continue;
      delete cell.againAtMs;
      this.#backingOff.delete(step);
      this.#window.add(step);
    }
  }

  /** Steps whose queue nobody served in time: one that Temporal holds is taken back first. */
  #giveUpThoseDue(): void {
    for (const step of this.#absence.over(this.#nowMs)) {
      const cell = this.#cells[step]!;
      cell.gaveUp = true;
      if (cell.state !== 'running') this.#nobodyCame(step);
      else if (!this.#stopsOnCancel(step)) this.#aborts.push(step);
    }
  }

  #nobodyCame(step: number): void {
    const { id, on, waitMs } = this.#steps[step]!;
    this.#cells[step]!.problems = [nobodyCame(id, on, waitMs ?? 0, whoCould(on))];
    this.#settle(step, 'failed');
  }

  #cancel(reason: string): void {
    if (this.#cancelled !== null) return;
    this.#cancelled = reason;
    this.#cells.forEach((cell, step) => {
      if (!isOpen(cell) || !this.#stopsOnCancel(step)) return;
      if (cell.state === 'running') this.#aborts.push(step);
      else this.#settle(step, 'cancelled', reason);
    });
  }

  #stopsOnCancel(step: number): boolean {
    return this.#cancelled !== null && !isAfterOnly(this.#steps[step]!);
  }

  #stopsOnConflict(step: number): boolean {
    return this.#conflictIn !== null && PUBLISHES.includes(this.#steps[step]!.kind);
  }

  /** A target holds other bytes under our name: nothing else is published until a person has looked. */
  #conflict(culprit: number): void {
    this.#conflictIn ??= culprit;
    this.#cells.forEach((cell, step) => {
      if (!this.#stopsOnConflict(step)) return;
      if (cell.state === 'backing off') this.#settle(step, 'failed');
      if (cell.state !== 'waiting') return;
      cell.blame = culprit;
      this.#settle(step, 'skipped', `nothing more is published: ${this.#steps[culprit]!.id} met a conflict`);
    });
  }

  /** Ends a step for good and tells those who wait for it; a long chain of skips is walked, not recursed into. */
  #settle(first: number, state: StepState, because?: string): void {
    this.#close(first, state, because);
    const ended = [first];
    for (let at = 0; at < ended.length; at++)
      for (const { step, edge } of this.#waiting[ended[at]!]!) {
        const cell = this.#cells[step]!;
        if (cell.state !== 'waiting') continue;
        if (lets(edge, seen(this.#cells[ended[at]!]!))) {
          if (--cell.open === 0) this.#ready(step);
        } else {
          this.#stopWith(step, cell, ended[at]!);
          ended.push(step);
        }
      }
  }

  /** Ends a step that has not begun, because one that it waits for did not succeed. */
  #stopWith(step: number, cell: Cell, source: number): void {
    if (this.#stopsOnCancel(step)) return this.#close(step, 'cancelled', this.#cancelled!);
    cell.blame = this.#cells[source]!.blame ?? source;
    const how = this.#cells[cell.blame]!.state === 'cancelled' ? 'was cancelled' : 'failed';
    this.#close(step, 'skipped', `${this.#steps[cell.blame]!.id} ${how}`);
  }

  #close(step: number, state: StepState, because?: string): void {
    const cell = this.#cells[step]!;
    cell.state = state;
    delete cell.againAtMs;
    this.#backingOff.delete(step);
    if (because !== undefined) cell.because = because;
    else delete cell.because;
    this.#open--;
  }
}
