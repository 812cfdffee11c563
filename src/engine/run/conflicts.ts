import { KINDS } from '../../model/kinds.js';
import type { RunGraph } from './run-graph.js';
import { isOpen } from './step-progress.js';

export interface ConflictState {
  /** The first open step with a conflict. Null if there is none. */
  culprit: number | null;
  /** Further such steps. Absent if there are none. */
  also?: readonly number[];
  /** Publishing steps that became ready meanwhile. */
  parked: number[];
}

/** A conflict: a target has other bytes under our name. No other step publishes until each step with a conflict is done
 * or skipped. */
export class Conflicts {
  readonly state: ConflictState = { culprit: null, parked: [] };

  constructor(private readonly graph: RunGraph) {}

  /** Whether a step must not start now. A step that a conflicting step waits for may start, because it is rerun. */
  stops(step: number): boolean {
    const culprits = this.#culprits();
    if (culprits.length === 0 || KINDS[this.graph.steps[step]!.kind].changes !== 'target') return false;
    // Follow open steps only: ended steps block nothing.
    const behind = this.graph.behind(step, (other) => isOpen(this.graph.cells[other]!));
    return !culprits.some((culprit) => behind.includes(culprit));
  }

  /** Called when a step's turn comes. A stopped step is queued again after the conflict. */
  mayStart(step: number): boolean {
    if (!this.stops(step)) return true;
    if (!this.state.parked.includes(step)) this.state.parked.push(step);
    return false;
  }

  held(step: number): void {
    this.#set([...this.#culprits(), step]);
  }

  /** Ends every publishing step after a step with a conflict failed for good. */
  failed(step: number): void {
    this.held(step);
    this.#endStopped(step);
  }

  /** Ends publishing steps that wait although a step with a conflict has failed for good: a held one may be retried later. */
  endStopped(): void {
    const failed = this.#culprits().find((culprit) => this.graph.cells[culprit]!.state === 'failed');
    if (failed !== undefined) this.#endStopped(failed);
  }

  #endStopped(step: number): void {
    this.graph.cells.forEach((cell, other) => {
      if (!this.stops(other)) return;
      if (cell.state === 'backing off') this.graph.settle(other, 'failed');
      if (cell.state !== 'waiting') return;
      cell.blame = step;
      const why = `nothing more is published: ${this.graph.steps[step]!.id} met a conflict`;
      this.graph.settle(other, 'skipped', why);
    });
  }

  /** Checks whether the conflict is over, after a step is done or skipped. */
  settled(step: number): void {
    this.#without((culprit) => culprit === step);
  }

  /** Checks whether an operator skipped a step with a conflict. */
  lookAgain(): void {
    this.#without((culprit) => this.graph.cells[culprit]!.state === 'skipped');
  }

  /** A step of a cancelled run ended. Operators can no longer act, so clean-up steps that publish must not wait for
   * them. */
  cancelled(step: number): void {
    if (!this.#culprits().includes(step)) return;
    this.failed(step);
    this.#set(this.#culprits().filter((culprit) => culprit !== step));
  }

  #without(isOver: (culprit: number) => boolean): void {
    if (this.state.culprit !== null) this.#set(this.#culprits().filter((culprit) => !isOver(culprit)));
  }

  #culprits(): readonly number[] {
    const { culprit, also = [] } = this.state;
    return culprit === null ? [] : [culprit, ...also];
  }

  /** Queues steps again that the remaining conflicts do not stop. */
  #set(culprits: readonly number[]): void {
    const [culprit = null, ...also] = new Set(culprits);
    this.state.culprit = culprit;
    this.state.also = also;
    const free = this.state.parked.filter((step) => !this.stops(step));
    this.state.parked = this.state.parked.filter((step) => !free.includes(step));
    for (const step of free) this.graph.requeue(step);
  }
}
