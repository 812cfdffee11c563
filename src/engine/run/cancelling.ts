import { isAfterOnly } from '../../model/plan.js';
import { WALK } from '../../model/reuse.js';
import type { RunGraph } from './run-graph.js';
import type { RunRecord } from '../checkpoint/snapshot.js';
import { isOpen } from './step-progress.js';
import type { Conflicts } from './conflicts.js';
import type { CacheLookup } from '../cache/cache-lookup.js';

/** Parts of a run that a cancel affects. */
export interface Stopped {
  readonly conflicts: Conflicts;
  readonly cacheLookup: CacheLookup;
  /** Asks an attempt or the cache lookup to stop. */
  abort(step: number): void;
  /** Ends every wait for people and for services. */
  goOn(): void;
}

/** Cancels a run: stops every step except clean-up steps and the report. */
export class Cancelling {
  constructor(
    private readonly graph: RunGraph,
    private readonly state: Pick<RunRecord, 'cancelled'>,
    private readonly stopped: Stopped,
  ) {}

  /** Reason of the cancellation. Null if the run is not cancelled. */
  get reason(): string | null {
    return this.state.cancelled;
  }

  cancel(reason: string): void {
    if (this.state.cancelled !== null) return;
    this.state.cancelled = reason;
    this.stopped.goOn(); // clean-up steps and the report must not wait
    if (this.stopped.cacheLookup.underWay) this.stopped.abort(WALK);
    this.#stopAll(reason, (step) => this.stopped.abort(step));
  }

  /** Asks running steps to stop. Steps that the cache lookup may still end wait for it. */
  #stopAll(reason: string, abort?: (step: number) => void): void {
    const reached = this.stopped.cacheLookup.reach();
    const stopped = [...this.graph.cells.keys()].filter((step) => isOpen(this.graph.cells[step]!));
    this.graph.cells.forEach((cell, step) => {
      if (cell.state === 'held' && !this.stops(step)) this.graph.settle(step, 'failed');
      if (!isOpen(cell) || !this.stops(step)) return;
      if (cell.state === 'running') abort?.(step);
      else if (!reached(step)) this.graph.settle(step, 'cancelled', reason);
    });
    for (const step of stopped) if (!isOpen(this.graph.cells[step]!)) this.stopped.conflicts.cancelled(step);
  }

  walked(apply: () => void): void {
    const was = this.stopped.cacheLookup.underWay;
    apply();
    if (was && !this.stopped.cacheLookup.underWay && this.state.cancelled !== null) this.#stopAll(this.state.cancelled);
  }

  /** Whether the cancel ends this step. It spares clean-up steps, but no gate, because no approval is accepted any
   * more. */
  stops(step: number): boolean {
    const { gate } = this.graph.steps[step]!;
    return this.state.cancelled !== null && (gate !== undefined || !isAfterOnly(this.graph.steps[step]!));
  }

  /** Ends a blocked step as cancelled if the cancel blocks it. */
  endsInstead(step: number): boolean {
    if (!this.stops(step)) return false;
    this.graph.close(step, 'cancelled', this.state.cancelled!);
    return true;
  }
}
