import type { StepState } from '../../model/messages.js';
import type { StepProgress } from './step-progress.js';

/** Number of steps in each state, maintained because a recount at every input made long plans slow. */
export class StateCounts {
  readonly #counts = new Map<StepState, number>();

  count(state: StepState): number {
    return this.#counts.get(state) ?? 0;
  }

  reset(cells: readonly StepProgress[]): void {
    this.#counts.clear();
    for (const { state } of cells) this.#add(state, 1);
  }

  turn(cell: StepProgress, state: StepState): void {
    this.moved(cell.state, state);
    cell.state = state;
  }

  moved(from: StepState, to: StepState): void {
    this.#add(from, -1);
    this.#add(to, 1);
  }

  #add(state: StepState, by: number): void {
    this.#counts.set(state, this.count(state) + by);
  }
}
