import type { KindName } from '../model/kinds.js';
import type { Board } from './board.js';
import { isOpen } from './cell.js';

/** Kinds that change what users of a target see: a conflict stops those that have not begun. */
const PUBLISHES: readonly KindName[] = ['publishArtifacts', 'movePointer'];

/** What a run knows of conflicts: plain data. */
export interface ConflictState {
  /** The step that met one and is not settled; null: none. */
  culprit: number | null;
  /** Publishing steps whose turn came meanwhile. */
  parked: number[];
}

/** A target holds other bytes under our name: nothing else is published until a person has looked. */
export class Conflicts {
  readonly state: ConflictState = { culprit: null, parked: [] };

  constructor(private readonly board: Board) {}

  /** Whether a step must not begin now. What the culprit itself waits for may: it was told to run again. */
  stops(step: number): boolean {
    const { culprit } = this.state;
    if (culprit === null || !PUBLISHES.includes(this.board.steps[step]!.kind)) return false;
    // Through one that has ended nobody waits; whoever takes over does not know it.
    return !this.board.behind(step, (other) => isOpen(this.board.cells[other]!)).includes(culprit);
  }

  /** Asked when a step's turn comes: one that is stopped stands in line again when the conflict is over. */
  mayStart(step: number): boolean {
    if (!this.stops(step)) return true;
    if (!this.state.parked.includes(step)) this.state.parked.push(step);
    return false;
  }

  /** A held step met one. */
  held(step: number): void {
    this.state.culprit ??= step;
  }

  /** A step that met one ended as failed: what would publish ends with it. */
  failed(step: number): void {
    this.state.culprit ??= step;
    this.board.cells.forEach((cell, other) => {
      if (!this.stops(other)) return;
      if (cell.state === 'backing off') this.board.settle(other, 'failed');
      if (cell.state !== 'waiting') return;
      cell.blame = step;
      const why = `nothing more is published: ${this.board.steps[step]!.id} met a conflict`;
      this.board.settle(other, 'skipped', why);
    });
  }

  /** Asked when a step got done, or was left out: that may end the conflict. */
  settled(step: number): void {
    if (this.state.culprit === step) this.#over();
  }

  /** A person may have left out the one that met it. */
  lookAgain(): void {
    const { culprit } = this.state;
    if (culprit !== null && this.board.cells[culprit]!.state === 'skipped') this.#over();
  }

  /** A step of a cancelled run ended, and nobody says a word any more: what would publish to tidy up must not wait for one. */
  cancelled(step: number): void {
    if (this.state.culprit !== step) return;
    this.failed(step);
    this.state.culprit = null;
  }

  /** Another step may have met one meanwhile. */
  #over(): void {
    const met = this.board.cells.findIndex(({ state, failures }) => state === 'held' && failures.at(-1) === 'conflict');
    this.state.culprit = met < 0 ? null : met;
    if (met >= 0) return;
    for (const step of this.state.parked.splice(0)) this.board.requeue(step);
  }
}
