import type { Problem } from '../../model/failure.js';
import type { WorkerName } from '../../model/worker.js';

export interface RetryState {
  /** Retries of all steps since the last action `retry`. */
  spent: number;
  /** Attempts that were lost with a worker, by its name. */
  readonly lostOn: Record<WorkerName, number>;
}

/** Default limit of a run. The budgets of the steps of a small run never add up to it. */
const FIRST = 100;
const STEPS_FOR_ONE = 10;
/** Losing an attempt twice on one worker may be chance. */
const SUSPECT_AFTER = 3;

/** The retry budget of all steps together. It stops a common fault from being retried in thousands of steps. */
export class RetryBudget {
  readonly state: RetryState = { spent: 0, lostOn: {} };
  readonly #total: number;

  /** @param said `retry.total` of the release file */
  constructor(steps: number, said?: number) {
    this.#total = said ?? FIRST + Math.floor(steps / STEPS_FOR_ONE);
  }

  /** Consumes one retry. Returns null, or the reason why none is left. */
  take(): string | null {
    if (this.state.spent < this.#total) {
      this.state.spent++;
      return null;
    }
    return `this run has used up the ${this.#total} further tries of all its steps (\`retry.total\`); \`slipway retry\` gives it new ones`;
  }

  /** Restores the whole budget. Called when a person says `retry`. */
  renew(): void {
    this.state.spent = 0;
  }

  /** Returns the problems of a lost attempt, with a hint if one worker loses attempts repeatedly. */
  lost(problems: readonly Problem[]): readonly Problem[] {
    return problems.map((problem) => {
      const worker = problem.details?.['worker'];
      if (problem.class !== 'lost' || typeof worker !== 'string') return problem;
      const times = (this.state.lostOn[worker] = (this.state.lostOn[worker] ?? 0) + 1);
      if (times < SUSPECT_AFTER) return problem;
      const hint = `${worker} has lost ${times} attempts of this run: \`slipway worker quarantine ${worker}\` takes it out, then look at its machine.`;
      return { ...problem, next: `${hint} ${problem.next}`, details: { ...problem.details, lostThere: times } };
    });
  }
}
