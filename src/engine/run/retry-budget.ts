import type { Problem } from '../../model/failure.js';
import type { WorkerName } from '../../model/worker.js';

/** What a run has spent on trying again: plain data. */
export interface RetryState {
  /** Further tries of all steps since somebody last said `retry`. */
  spent: number;
  /** Attempts that were lost with a worker, by its name. */
  readonly lostOn: Record<WorkerName, number>;
}

/** More than any small run takes by the budgets of its steps alone. */
const FIRST = 100;
const STEPS_FOR_ONE = 10;
/** Twice may be chance. */
const SUSPECT_AFTER = 3;

/** The budget that all steps share: a matrix of thousands does not try thousands of times what is wrong with all of it. */
export class RetryBudget {
  readonly state: RetryState = { spent: 0, lostOn: {} };
  readonly #total: number;

  /** @param said by the release file: `retry.total` */
  constructor(steps: number, said?: number) {
    this.#total = said ?? FIRST + Math.floor(steps / STEPS_FOR_ONE);
  }

  /** Takes one further try. Null: there was one; else why there is none. */
  take(): string | null {
    if (this.state.spent < this.#total) {
      this.state.spent++;
      return null;
    }
    return `this run has used up the ${this.#total} further tries of all its steps (\`retry.total\`); \`slipway retry\` gives it new ones`;
  }

  /** A person has looked: all of it is there again. */
  renew(): void {
    this.state.spent = 0;
  }

  /** Problems of a lost attempt: with a hint, where one worker loses them again and again. */
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
