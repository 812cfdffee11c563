import type { Problem } from '../../model/failure.js';
import type { CarriedCell } from './carried-cell.js';
import type { Input } from '../run/inputs.js';
import { AS_TOLD, outputOf, problemsOf, withoutOutputs, withProblems } from './truncate-cells.js';

/** Output of failed attempts that came here first: whoever decides need not know it, and tells of those attempts without it. */
export class Outputs {
  readonly #kept = new Map<number, { readonly attempt: number; readonly problems: readonly Problem[] }>();

  /** The input as whoever decides needs it. */
  keep<One extends Input>(input: One): One {
    if (input.what !== 'ended' || input.ending.outcome !== 'failed') return input;
    const { step, attempt, ending } = input;
    const { problems } = ending;
    if (outputOf(problems) === 0) return input;
    if ((this.#kept.get(step)?.attempt ?? 0) < attempt) this.#kept.set(step, { attempt, problems });
    return { ...input, ending: { ...ending, problems: withoutOutputs(problems) } };
  }

  /** Steps as they were told of, with the output of what they failed with; each is given back once. What failed with other words
   * gets none. */
  giveBack(rows: readonly CarriedCell[]): readonly CarriedCell[] {
    return this.#kept.size === 0 ? rows : rows.map((row) => this.#whole(row));
  }

  #whole(row: CarriedCell): CarriedCell {
    const [step, , attempt] = row;
    const kept = this.#kept.get(step);
    const told = problemsOf(row) ?? AS_TOLD;
    if (kept === undefined || (attempt ?? 0) < kept.attempt) return row;
    // Applied, or of no account any more; the next attempt may run already by then.
    if (told.length > 0 || attempt !== kept.attempt) this.#kept.delete(step);
    if (told.length === 0) return row;
    return withProblems(
      row,
      told.map((problem, at) => completed(problem, kept.problems[at])),
    );
  }
}

function completed(told: Problem, kept: Problem | undefined): Problem {
  if (kept?.code !== told.code || kept.message !== told.message) return told;
  const { evidence, firstError, details } = kept;
  return { ...(firstError && { firstError }), ...(evidence && { evidence }), ...(details && { details }), ...told };
}
