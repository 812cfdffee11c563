import type { Problem } from '../../model/failure.js';
import {
  gateId,
  type GateRules,
  type GateAction,
  type OpenedGate,
  type Opening,
  type TargetAddress,
  type Vetted,
} from '../../model/gate.js';
import { canonical } from '../../model/json.js';
import type { ActionAnswer } from '../../model/actions.js';
import { earliest } from '../run/earliest.js';
import type { RunGraph } from '../run/run-graph.js';
import type { StepProgress } from '../run/step-progress.js';
import { approvalUsed, gateNotWaiting, gateRejected, gateUnknown, openedAgain } from './errors.js';
import { approved, counting, judge, lookAgainMs, mayPass, unfit } from './gate-rules.js';

/** State of a run's gates besides the progress of their steps. Plain data. */
export interface GatePolicyState {
  /** Used signed texts, as `FINGERPRINT DIGEST`. */
  readonly spent: string[];
  /** Nonce of the last opening of each gate. */
  readonly openings: Record<string, string>;
}

export interface GateOptions {
  /** False in a rehearsal, where gates pass at once. */
  readonly stops: boolean;
  readonly startedBy: string | null;
  /** Returns by how much the run's own time is ahead of the clock, in milliseconds. */
  readonly aheadMs: () => number;
  readonly nonce: () => string;
}

/** Decides which gates of a run are open, and applies actions to them. Callers verify signatures first. */
export class GatePolicy {
  readonly #gates: readonly number[];
  readonly state: GatePolicyState = { spent: [], openings: {} };

  constructor(
    private readonly graph: RunGraph,
    private readonly options: GateOptions,
  ) {
    this.#gates = graph.steps.flatMap(({ gate }, step) => (gate === undefined ? [] : [step]));
  }

  get waiting(): number {
    return this.#shut().length;
  }

  /** Whether a ready gate must be opened before it runs. */
  mustAsk(step: number): boolean {
    return this.options.stops && this.graph.steps[step]!.gate !== undefined && this.#cell(step).gate?.passed !== true;
  }

  /** Opens a gate for approvals of this manifest. Approvals of other bytes are void. */
  opened(step: number, { manifest, earlier, targets }: OpenedGate): void {
    const { gate: before } = this.#cell(step);
    const isAsBefore = before?.manifest === manifest && isSame(before.targets, targets);
    const { approvals, openedAtMs, nonce } = isAsBefore
      ? before
      : { approvals: [], openedAtMs: this.graph.nowMs, nonce: this.options.nonce() };
    this.#cell(step).gate = { manifest, nonce, targets, openedAtMs, approvals, void: earlier, passed: false };
    this.state.openings[this.#rules(step).gate] = nonce;
    this.graph.standAtGate(step);
  }

  /** Passes the gates with enough approvals whose soak has ended. */
  letThrough(): void {
    for (const step of this.#shut()) {
      const cell = this.#cell(step);
      if (!mayPass(this.#rules(step), cell.gate!, this.graph.nowMs)) continue;
      cell.gate = { ...cell.gate!, passed: true };
      this.graph.passGate(step);
    }
  }

  /** Returns the next time at which a gate may pass without an action, or an approval expires. */
  nextMs(): number | null {
    return earliest(
      this.#shut().map((step) => lookAgainMs(this.#rules(step), this.#cell(step).gate!, this.graph.nowMs)),
    );
  }

  /** Returns why an action is refused before its signature is verified. Null if it must be verified. */
  refusal(action: GateAction): Problem | null {
    const found = this.#find(action.gate);
    return typeof found === 'number' ? unfit(this.#rules(found), this.#cell(found).gate!, action) : found;
  }

  opening(action: GateAction): Opening | null {
    const found = this.#find(action.gate);
    if (typeof found !== 'number') return null;
    const { nonce, targets } = this.#cell(found).gate!;
    return { nonce, targets };
  }

  /** Applies a verified action.
   * @param nonce of the opening for which the action was verified
   * @param fail fails the step with a problem */
  answer(
    action: GateAction,
    vetted: Vetted,
    nonce: string,
    fail: (step: number, problem: Problem) => void,
  ): ActionAnswer {
    const step = this.#find(action.gate);
    if (typeof step !== 'number') return { ok: false, problem: step };
    const { id } = this.graph.steps[step]!;
    const rules = this.#rules(step);
    const cell = this.#cell(step);
    if (nonce !== cell.gate!.nonce) return { ok: false, problem: openedAgain(rules.gate) };
    const { aheadMs, startedBy } = this.options;
    const moment = { nowMs: this.graph.nowMs, aheadMs: aheadMs(), startedBy };
    const judged = judge(rules, cell.gate!, action, vetted, moment);
    if ('code' in judged) return { ok: false, problem: judged };
    const spends = spentBy(action, vetted);
    if (spends !== null && this.state.spent.includes(spends)) return { ok: false, problem: approvalUsed(rules.gate) };
    if (spends !== null) this.state.spent.push(spends);
    const by = `${judged.by} (${judged.signer === null ? 'unverified' : `${judged.signer.group}, ${judged.signer.fingerprint}`})`;
    if (action.action === 'reject') {
      delete cell.gate; // approvals before a rejection never count again
      fail(step, gateRejected(rules.gate, judged.by, action.reason));
      return { ok: true, did: `${id} is rejected by ${by}: nothing behind it is published`, steps: [id] };
    }
    cell.gate = approved(cell.gate!, judged);
    const count = counting(cell.gate, this.graph.nowMs).length;
    return { ok: true, did: `${id} is approved by ${by}: ${count} of ${rules.quorum}`, steps: [id] };
  }

  #find(gate: string): number | Problem {
    const step = this.#gates.find((candidate) => this.graph.steps[candidate]!.id === gateId(gate));
    if (step === undefined)
      return gateUnknown(
        gate,
        this.#gates.map((one) => this.#rules(one).gate),
      );
    const { state } = this.#cell(step);
    return state === 'at gate' ? step : gateNotWaiting(gateId(gate), state);
  }

  #shut(): readonly number[] {
    return this.#gates.filter((step) => this.#cell(step).state === 'at gate');
  }

  #rules(step: number): GateRules {
    return this.graph.steps[step]!.gate!;
  }

  #cell(step: number): StepProgress {
    return this.graph.cells[step]!;
  }
}

/** Identifies a signed text by key and digest. Its armour could be rewrapped in many ways. */
const spentBy = ({ signature }: GateAction, vetted: Vetted): string | null =>
  vetted.ok && vetted.signer !== null && vetted.text !== undefined
    ? `${vetted.signer.fingerprint} ${vetted.text}`
    : (signature ?? null);

const isSame = (some: readonly TargetAddress[], others: readonly TargetAddress[]): boolean =>
  canonical(some) === canonical(others);
