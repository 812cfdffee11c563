import { condition } from '@temporalio/workflow';

/** Words that were answered here, and that the root puts into the audit: steps that start wait for it. */
export class KeptWords {
  #answered = 0;
  #kept = 0;

  /** @param no of the word, as the root counts */
  expect(no: number): void {
    this.#answered = Math.max(this.#answered, no);
  }

  upTo(no: number): void {
    this.#kept = Math.max(this.#kept, no);
  }

  /** Resolves when all that was answered so far is kept; null: it is. */
  all(): Promise<void> | null {
    const wanted = this.#answered;
    return this.#kept < wanted ? condition(() => this.#kept >= wanted) : null;
  }
}
