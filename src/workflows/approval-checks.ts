import { CancellationScope, workflowInfo } from '@temporalio/workflow';
import type { Scheduler } from '../engine/run/scheduler.js';
import { actionsVetted } from '../model/answers.js';
import { gateId, type GateRules, type GateAction, type HeardAt, type Vetted } from '../model/gate.js';
import type { Problem } from '../model/failure.js';
import type { RunId } from '../model/ids.js';
import type { Skeleton } from '../model/plan.js';
import { gateNotReached } from './errors.js';
import { fatalError } from './fatal-errors.js';
import { problemsOf } from './problems-of.js';
import { verifyApprovals } from './schedule.js';
import { soundAnswer } from './sound-answer.js';

const ITSELF = { id: 'an action at a gate', kind: 'verifyApprovals', on: 'control' };

interface Vetting {
  readonly action: GateAction;
  readonly heard: HeardAt;
  pass(vetted: Vetted): void;
}

/** Verifies actions at gates before the scheduler gets them. Actions that arrive meanwhile share one activity, in their order. */
export class ApprovalChecks {
  #fresh: Vetting[] = [];
  #busy: Promise<void> = Promise.resolve();

  constructor(
    private readonly run: {
      readonly id: RunId;
      readonly skeleton: Skeleton | null;
      readonly scheduler: Scheduler | null;
    },
  ) {}

  /** Returns what is wrong with an action, whoever sent it. Null if its signature must be verified. */
  refusal(action: GateAction): Problem | null {
    return this.run.scheduler === null ? gateNotReached(action.gate) : this.run.scheduler.answers.refusal(action);
  }

  /** @param no number of the action in the run
   * @param pass receives the signer, and the nonce of the opening that the action is about */
  add(action: GateAction, no: number, pass: (vetted: Vetted, nonce: string) => void): void {
    const opening = this.run.scheduler!.answers.opening(action)!;
    this.#fresh.push({ action, heard: { no, opening }, pass: (vetted) => pass(vetted, opening.nonce) });
    if (this.#fresh.length === 1) this.#lookNext();
  }

  #rulesOf(gate: string): GateRules | null {
    return this.run.skeleton!.steps.find(({ id }) => id === gateId(gate))?.gate ?? null;
  }

  #lookNext(): void {
    this.#busy = this.#busy.then(() => this.#look()).catch(fatalError);
  }

  async #look(): Promise<void> {
    const taken = this.#fresh.splice(0, MOST_AT_ONCE);
    if (this.#fresh.length > 0) this.#lookNext();
    const { workflowId } = workflowInfo();
    const { plan } = this.run.skeleton!;
    const actions = taken.map(({ action }) => action);
    const input = { plan, run: this.run.id, workflowId, actions, heard: taken.map(({ heard }) => heard) };
    const check = actionsVetted(actions, (gate) => this.#rulesOf(gate));
    try {
      const ask = () => verifyApprovals(input);
      const vetted = await CancellationScope.nonCancellable(() => soundAnswer(ITSELF.id, ask, check));
      taken.forEach(({ pass }, at) => pass(vetted[at]!));
    } catch (error) {
      const [problem] = problemsOf(error, ITSELF);
      taken.forEach(({ pass }) => pass({ ok: false, problem: problem! }));
    }
  }
}

/** Each may bring some thousand characters, and the server refuses payloads of two megabytes; two programs look at each signature. */
const MOST_AT_ONCE = 40;
