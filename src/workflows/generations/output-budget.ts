import { truncateProblems } from '../../engine/handover/truncate-cells.js';
import type { Problem } from '../../model/failure.js';

/** Of the root's history: a server ends a run at 50 MB, and encryption makes a third more of it. */
const MOST_BYTES = 30_000_000;
/** One failure takes at most this share of what is left: the first ones tell all, and thousands of them never fill it. */
const SHARE = 1 / 1000;
const MOST_OF_ONE = 20_000;

/** How much of what steps fail with a generation may tell the root, each once. */
export class OutputBudget {
  #left: number;

  constructor(rootBytes = 0) {
    this.#left = Math.max(0, MOST_BYTES - rootBytes);
  }

  bound(problems: readonly Problem[]): readonly Problem[] {
    const told = truncateProblems(problems, Math.min(MOST_OF_ONE, this.#left * SHARE));
    this.#left = Math.max(0, this.#left - JSON.stringify(told).length);
    return told;
  }
}
