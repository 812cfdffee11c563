import { fail } from '../../model/failure.js';
import type { StepId } from '../../model/ids.js';
import type { KindName } from '../../model/kinds.js';
import type { Plan, Step, StepOf } from '../../model/plan.js';
import type { Result } from '../../model/result.js';
import type { Rounds } from '../../model/rounds.js';
import { readInputs } from '../step/inputs.js';
import type { StepContext } from '../step/ports.js';
import { layOut } from '../step/record.js';
import { records } from '../../model/run-folder.js';
import { hasSame, keyOf, peekResult, soundness, type IsIntact } from '../step/reuse.js';
import { otherResultStands } from './errors.js';

interface Known {
  readonly result: Result;
  /** Step that made the result; another step may have the same key. */
  readonly maker: StepId;
  /** True if the run already has the record. */
  readonly isRecorded: boolean;
}

/** Looks up cached results of steps in order. A result that was found is an input of the next step. */
export class StepCache {
  readonly #results = new Map<StepId, Promise<Result | null>>();
  readonly #sound: IsIntact;
  /** Results that need no bytes of their own: `kept` links the existing record under the run's name. */
  readonly #again: { readonly step: StepId; readonly result: Result }[] = [];

  constructor(
    private readonly plan: Plan,
    private readonly rounds: Rounds,
    private readonly around: Pick<StepContext, 'store' | 'hash' | 'layout'>,
  ) {
    this.#sound = soundness(around.store);
  }

  /** Looks up a step's result as the step itself would. Null if the step must run. */
  async of(step: Step): Promise<Known | null> {
    const { store, hash } = this.around;
    if (this.rounds.fresh(step.id)) return null;
    const standing = this.#own(step.id);
    standing.catch(() => undefined); // avoids an unhandled rejection if the inputs fail first
    const inputs = await readInputs((id) => this.#resultOf(id), this.plan, step as StepOf<KindName>);
    const own = await standing;
    if (own !== null) return this.#know(step.id, own, step.id, true);
    const key = keyOf(this.plan, step as StepOf<KindName>, inputs, hash);
    const result = await peekResult(store, key, hash, this.#sound);
    return result && this.#know(step.id, { ...result, step: step.id }, result.step, false);
  }

  /** Records the result for this run. The record is complete only after `kept`. */
  async keep({ id }: Step, { result, maker }: Known): Promise<void> {
    const { layout, store } = this.around;
    const findings = await layOut(layout(this.plan.release.name), this.plan, result);
    if (findings.length === 0 && maker === id && store.again !== undefined) this.#again.push({ step: id, result });
    else await this.#write(id, { ...result, findings: [...result.findings, ...findings] });
  }

  /** Links all unchanged results to their existing records in one call. Results that the store cannot link are written.
   */
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

  #know(id: StepId, result: Result, maker: StepId, isRecorded: boolean): Known {
    this.#results.set(id, Promise.resolve(result));
    return { result, maker, isRecorded };
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
