import { entryOf } from '../../model/ids.js';
import { isAfterOnly } from '../../model/plan.js';
import { CACHE_LOOKUP } from '../../model/reuse.js';
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

/** Stops steps: all but clean-up steps and the report when the run is cancelled, and the siblings of a failed step that
 * says `onFailure: stop`. */
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
    if (this.stopped.cacheLookup.underWay) this.stopped.abort(CACHE_LOOKUP);
    this.#stopAll((step) => this.stopped.abort(step));
  }

  /** Stops the siblings of a failed step: the other open steps of its entry. */
  stopSiblings(failed: number): void {
    const { steps, cells } = this.graph;
    const entry = entryOf(steps[failed]!.id);
    const siblings = [...cells.keys()].filter(
      (step) => isOpen(cells[step]!) && cells[step]!.stoppedBy === undefined && entryOf(steps[step]!.id) === entry,
    );
    for (const step of siblings) cells[step]!.stoppedBy = failed;
    this.#stopAll((step) => siblings.includes(step) && this.stopped.abort(step));
  }

  /** Asks running steps to stop, and cancels waiting ones. A step that the running cache lookup may still find is left until the
   * lookup ends. */
  #stopAll(abort?: (step: number) => void): void {
    const reached = this.stopped.cacheLookup.reach();
    const stopped = [...this.graph.cells.keys()].filter((step) => isOpen(this.graph.cells[step]!));
    this.graph.cells.forEach((cell, step) => {
      const why = this.why(step);
      if (cell.state === 'held' && why === null && this.reason !== null) this.graph.settle(step, 'failed');
      if (!isOpen(cell) || why === null) return;
      if (cell.state === 'running') abort?.(step);
      else if (!reached(step)) this.graph.settle(step, 'cancelled', why);
    });
    for (const step of stopped) if (!isOpen(this.graph.cells[step]!)) this.stopped.conflicts.cancelled(step);
  }

  /** Applies an answer of the cache lookup. If it ends the lookup, the steps that were left for it are stopped. */
  afterLookup(apply: () => void): void {
    const was = this.stopped.cacheLookup.underWay;
    apply();
    if (was && !this.stopped.cacheLookup.underWay) this.#stopAll();
  }

  /** Why this step must end. Null if it may go on. The cancel of a run spares clean-up steps, but no gate, because no
   * approval is accepted any more. */
  why(step: number): string | null {
    const row = this.graph.steps[step]!;
    if (this.state.cancelled !== null && (row.gate !== undefined || !isAfterOnly(row))) return this.state.cancelled;
    const { stoppedBy } = this.graph.cells[step]!;
    return stoppedBy === undefined
      ? null
      : `${this.graph.steps[stoppedBy]!.id} failed, and its entry says onFailure: stop`;
  }

  /** Ends a blocked step as cancelled if the cancel blocks it. */
  endsInstead(step: number): boolean {
    const why = this.why(step);
    if (why !== null) this.graph.close(step, 'cancelled', why);
    return why !== null;
  }
}
