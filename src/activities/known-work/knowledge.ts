import { fail } from '../../model/failure.js';
import type { StepId } from '../../model/ids.js';
import type { KindName } from '../../model/kinds.js';
import type { Plan, Step, StepOf } from '../../model/plan.js';
import type { Result } from '../../model/result.js';
import type { Rounds } from '../../model/rounds.js';
import { readInputs } from '../step/inputs.js';
import type { Surroundings } from '../step/ports.js';
import { record } from '../step/record.js';
import { hasSame, keyOf, peekResult, soundness, type Sound } from '../step/reuse.js';
import { otherResultStands } from './errors.js';

interface Known {
  readonly result: Result;
  /** The run has its record of it already. */
  readonly stands: boolean;
}

/** What the store knows of the steps of a run, one after the other: what was found for one is an input of the next. */
export class Knowledge {
  readonly #results = new Map<StepId, Promise<Result | null>>();
  readonly #sound: Sound;

  constructor(
    private readonly plan: Plan,
    private readonly rounds: Rounds,
    private readonly around: Pick<Surroundings, 'store' | 'hash' | 'layout'>,
  ) {
    this.#sound = soundness(around.store);
  }

  /** Looks as the step itself would; null: it must be carried out. */
  async of(step: Step): Promise<Known | null> {
    const { store, hash } = this.around;
    if (this.rounds.fresh(step.id)) return null;
    const standing = this.#own(step.id);
    standing.catch(() => undefined); // not waited for where its inputs fail first: a rejection that nobody hears ends the worker
    const inputs = await readInputs((id) => this.#resultOf(id), this.plan, step as StepOf<KindName>);
    const own = await standing;
    if (own !== null) return this.#know(step.id, own, true);
    const key = keyOf(this.plan, step as StepOf<KindName>, inputs, hash);
    const result = await peekResult(store, key, hash, this.#sound);
    return result && this.#know(step.id, { ...result, step: step.id }, false);
  }

  /** The run's own record, as the step itself would write it. */
  async keep(step: Step, result: Result): Promise<void> {
    const standing = await record(this.around, this.plan, this.rounds.result(step.id), result);
    if (!hasSame(standing, result)) throw fail(otherResultStands(step.id));
  }

  #know(id: StepId, result: Result, stands: boolean): Known {
    this.#results.set(id, Promise.resolve(result));
    return { result, stands };
  }

  #resultOf(id: StepId): Promise<Result | null> {
    const known = this.#results.get(id) ?? this.#own(id);
    this.#results.set(id, known);
    return known;
  }

  #own(id: StepId): Promise<Result | null> {
    return this.around.store.read<Result>(this.rounds.result(id));
  }
}
