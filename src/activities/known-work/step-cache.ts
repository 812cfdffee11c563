import { fail } from '../../model/failure.js';
import type { StepId } from '../../model/ids.js';
import type { KindName } from '../../model/kinds.js';
import type { Plan, Step, StepOf } from '../../model/plan.js';
import type { Result } from '../../model/result.js';
import type { Rounds } from '../../model/rounds.js';
import { readInputs } from '../step/inputs.js';
import type { StepContext } from '../step/ports.js';
import { layOut } from '../step/lay-out.js';
import { records } from '../../model/run-folder.js';
import { hasSame, keyOf, peekResult, soundness, type IsIntact } from '../step/reuse.js';
import { otherResultStands } from './errors.js';

interface Known {
  /** As the run's own record tells it. */
  readonly result: Result;
  /** The step that made the result. Another step may have the same key. */
  readonly maker: StepId;
  /** The run has its record of it already. */
  readonly stands: boolean;
}

/** Looks up cached results of steps in order. A result that was found is an input of the next step. */
export class StepCache {
  readonly #results = new Map<StepId, Promise<Result | null>>();
  readonly #sound: IsIntact;
  /** Results whose own record is what is known, under a second name. */
  readonly #again: { readonly step: StepId; readonly result: Result }[] = [];

  constructor(
    private readonly plan: Plan,
    private readonly rounds: Rounds,
    private readonly around: Pick<StepContext, 'store' | 'hash' | 'layout'>,
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
    if (own !== null) return this.#know(step.id, own, step.id, true);
    const key = keyOf(this.plan, step as StepOf<KindName>, inputs, hash);
    const result = await peekResult(store, key, hash, this.#sound);
    return result && this.#know(step.id, { ...result, step: step.id }, result.step, false);
  }

  /** The run's own record, as the step itself would write it; it stands when all are `kept`. */
  async keep({ id }: Step, { result, maker }: Known): Promise<void> {
    const { layout, store } = this.around;
    const told = await layOut(layout(this.plan.release.name), this.plan, result);
    if (told.length === 0 && maker === id && store.again !== undefined) this.#again.push({ step: id, result });
    else await this.#write(id, { ...result, findings: [...result.findings, ...told] });
  }

  /** Whatever says nothing else than what is known gets that as its record, all in one go; it is written where that cannot be. */
  async kept(): Promise<void> {
    const again = this.#again.splice(0);
    if (again.length === 0) return;
    const names = again.map(({ step, result }) => ({ of: records.known(result.key), as: this.rounds.result(step) }));
    const standing = await this.around.store.again!<Result>(names);
    for (const [index, { step, result }] of again.entries()) {
      const there = standing[index] ?? null;
      if (there === null) await this.#write(step, result);
      else mustBeSame(step, there, result);
    }
  }

  async #write(step: StepId, result: Result): Promise<void> {
    mustBeSame(step, (await this.around.store.create(this.rounds.result(step), result)).value, result);
  }

  #know(id: StepId, result: Result, maker: StepId, stands: boolean): Known {
    this.#results.set(id, Promise.resolve(result));
    return { result, maker, stands };
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

function mustBeSame(step: StepId, standing: Result, result: Result): void {
  if (!hasSame(standing, result)) throw fail(otherResultStands(step));
}
