import { CancellationScope, workflowInfo } from '@temporalio/workflow';
import type { Scheduler } from '../engine/scheduler.js';
import type { GateWord, Vetted } from '../model/gate.js';
import type { Problem } from '../model/failure.js';
import type { Skeleton } from '../model/plan.js';
import { gateNotReached } from './errors.js';
import { mishap } from './mishaps.js';
import { problemsOf } from './problems-of.js';
import { vetWords } from './schedule.js';

const ITSELF = { id: 'a word at a gate', kind: 'vetWords', on: 'control' };

interface Vetting {
  readonly word: GateWord;
  pass(vetted: Vetted): void;
}

/** Looks into words at gates before the scheduler hears them. All that came meanwhile goes in one activity, in its order. */
export class Vettings {
  #fresh: Vetting[] = [];
  #busy: Promise<void> = Promise.resolve();

  constructor(private readonly run: { readonly skeleton: Skeleton | null; readonly scheduler: Scheduler | null }) {}

  /** What is wrong with it whoever said it, or null. */
  refusal(word: GateWord): Problem | null {
    return this.run.scheduler === null ? gateNotReached(word.gate) : this.run.scheduler.answers.refusal(word);
  }

  /** @param pass told whose word it is */
  add(word: GateWord, pass: (vetted: Vetted) => void): void {
    this.#fresh.push({ word, pass });
    if (this.#fresh.length === 1) this.#lookNext();
  }

  #lookNext(): void {
    this.#busy = this.#busy.then(() => this.#look()).catch(mishap);
  }

  async #look(): Promise<void> {
    const taken = this.#fresh.splice(0, MOST_AT_ONCE);
    if (this.#fresh.length > 0) this.#lookNext();
    const { runId, workflowId } = workflowInfo();
    const { plan } = this.run.skeleton!;
    const words = taken.map(({ word }) => word);
    try {
      const vetted = await CancellationScope.nonCancellable(() => vetWords({ plan, run: runId, workflowId, words }));
      taken.forEach(({ pass }, at) => pass(vetted[at]!));
    } catch (error) {
      const [problem] = problemsOf(error, ITSELF);
      taken.forEach(({ pass }) => pass({ ok: false, problem: problem! }));
    }
  }
}

/** Each may bring some thousand characters, and the server refuses payloads of two megabytes; two programs look at each signature. */
const MOST_AT_ONCE = 40;
