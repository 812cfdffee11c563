import type { Problem } from '../../model/failure.js';
import type { GateAction, Opening, Vetted } from '../../model/gate.js';
import type { StepId } from '../../model/ids.js';
import type { RerunPreview, StepAction, ActionAnswer } from '../../model/actions.js';
import type { UnservedQueues } from '../outages/unserved-queues.js';
import type { RunGraph } from './run-graph.js';
import type { Cancelling } from './cancelling.js';
import type { Conflicts } from './conflicts.js';
import type { AttemptResults } from './attempt-results.js';
import { runIsCancelling, stepLookedUp } from './errors.js';
import type { GatePolicy } from '../gates/gate-policy.js';
import type { CacheLookup } from '../cache/cache-lookup.js';
import type { Outages } from '../outages/outages.js';
import { previewRerun } from './rerun.js';
import { applyAction } from './step-actions.js';

/** The parts of a run that an action may change. */
export interface ActionHost {
  readonly unservedQueues: UnservedQueues;
  readonly cancelling: Cancelling;
  readonly conflicts: Conflicts;
  readonly attemptResults: AttemptResults;
  readonly gates: GatePolicy;
  readonly cacheLookup: CacheLookup;
  readonly outages: Outages;
  abort(step: number): void;
  pause(why: string | null): void;
}

export class ActionAnswers {
  constructor(
    private readonly graph: RunGraph,
    private readonly to: ActionHost,
  ) {}

  previewRerun(step: StepId): RerunPreview {
    const problem = this.#isOver('retry');
    return problem ? { ok: false, problem } : previewRerun(step, this.graph);
  }

  /** Returns what is wrong with an action at a gate. Null if its signature should be verified. */
  refusal(action: GateAction): Problem | null {
    return this.#isOver(action.action) ?? this.to.gates.refusal(action);
  }

  /** Returns the opening of the gate that an action is about. Null if the gate does not wait. */
  opening(action: GateAction): Opening | null {
    return this.to.gates.opening(action);
  }

  /** @param vetted outcome of verifying its signature
   * @param nonce of the opening for which it was verified */
  answerAtGate(action: GateAction, vetted: Vetted, nonce: string): ActionAnswer {
    const problem = this.#isOver(action.action);
    if (problem) return { ok: false, problem };
    return this.to.gates.answer(action, vetted, nonce, (step, why) => this.to.attemptResults.failed(step, why));
  }

  answer(action: Exclude<StepAction, GateAction>): ActionAnswer {
    const problem = action.action === 'note' ? null : this.#isOver(action.action);
    if (problem && !this.#isUnserved(action)) return { ok: false, problem };
    if (
      action.action === 'skip' &&
      this.to.cacheLookup.reach()(this.graph.steps.findIndex(({ id }) => id === action.step))
    )
      return { ok: false, problem: stepLookedUp(action.step) };
    const waits = this.to.outages.answer(action);
    if (waits !== null) return waits;
    const answer = applyAction(action, {
      graph: this.graph,
      abort: (step) => this.to.abort(step),
      pause: (why) => this.to.pause(why),
      cancelling: this.to.cancelling.reason !== null,
    });
    this.to.conflicts.lookAgain();
    if (answer.ok && action.action === 'retry') this.to.outages.retried(action.step ?? action.from);
    if (answer.ok && action.action === 'retry') this.to.attemptResults.retryBudget.renew();
    return answer;
  }

  /** Whether the action skips or stops a step without a worker. During a cancel a clean-up step may wait for a machine
   * that never returns. */
  #isUnserved(action: Exclude<StepAction, GateAction>): boolean {
    if (action.action !== 'skip' && action.action !== 'cancel') return false;
    const step = this.graph.steps.findIndex(({ id }) => id === action.step);
    return step >= 0 && this.to.unservedQueues.holds(step);
  }

  #isOver(action: string): Problem | null {
    const { reason } = this.to.cancelling;
    return reason === null ? null : runIsCancelling(action, reason);
  }
}
