import { isAfterOnly } from '../model/plan.js';
import { WALK } from '../model/reuse.js';
import type { Board } from './board.js';
import type { RunState } from './carry.js';
import { isOpen } from './cell.js';
import type { Conflicts } from './conflicts.js';
import type { KnownWork } from './known-work.js';

/** What a cancel stops, and through whom. */
export interface Stopped {
  readonly conflicts: Conflicts;
  readonly known: KnownWork;
  /** An attempt, or the walk over known work. */
  abort(step: number): void;
  /** Nothing waits any more, neither for people nor for services. */
  goOn(): void;
}

/** A run that somebody cancelled: what is not there to clean up and to report is stopped. */
export class Cancelling {
  constructor(
    private readonly board: Board,
    private readonly state: Pick<RunState, 'cancelled'>,
    private readonly stopped: Stopped,
  ) {}

  /** Why; null: nobody cancelled it. */
  get reason(): string | null {
    return this.state.cancelled;
  }

  cancel(reason: string): void {
    if (this.state.cancelled !== null) return;
    this.state.cancelled = reason;
    this.stopped.goOn(); // what cleans up and reports must not wait
    if (this.stopped.known.underWay) this.stopped.abort(WALK);
    this.#stopAll(reason, (step) => this.stopped.abort(step));
  }

  /** What runs is asked to stop; what a walk may still end waits for it. */
  #stopAll(reason: string, abort?: (step: number) => void): void {
    const reached = this.stopped.known.reach();
    const stopped = [...this.board.cells.keys()].filter((step) => isOpen(this.board.cells[step]!));
    this.board.cells.forEach((cell, step) => {
      if (cell.state === 'held' && !this.stops(step)) this.board.settle(step, 'failed');
      if (!isOpen(cell) || !this.stops(step)) return;
      if (cell.state === 'running') abort?.(step);
      else if (!reached(step)) this.board.settle(step, 'cancelled', reason);
    });
    for (const step of stopped) if (!isOpen(this.board.cells[step]!)) this.stopped.conflicts.cancelled(step);
  }

  /** Applies what became of a walk. */
  walked(apply: () => void): void {
    const was = this.stopped.known.underWay;
    apply();
    if (was && !this.stopped.known.underWay && this.state.cancelled !== null) this.#stopAll(this.state.cancelled);
  }

  /** Whether the run is cancelled and this step does not tidy up. A gate never does: no approval is heard any more. */
  stops(step: number): boolean {
    const { gate } = this.board.steps[step]!;
    return this.state.cancelled !== null && (gate !== undefined || !isAfterOnly(this.board.steps[step]!));
  }

  /** Ends a step that cannot begin any more as cancelled, where that is why. */
  endsInstead(step: number): boolean {
    if (!this.stops(step)) return false;
    this.board.close(step, 'cancelled', this.state.cancelled!);
    return true;
  }
}
