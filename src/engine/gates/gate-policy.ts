import type { Problem } from '../../model/failure.js';
import {
  gateId,
  type GateRules,
  type GateWord,
  type OpenedGate,
  type Opening,
  type TargetAddress,
  type Vetted,
} from '../../model/gate.js';
import { canonical } from '../../model/json.js';
import type { WordAnswer } from '../../model/words.js';
import type { RunGraph } from '../run/run-graph.js';
import type { StepProgress } from '../run/step-progress.js';
import { approvalUsed, gateNotWaiting, gateRejected, gateUnknown, openedAgain } from './errors.js';
import { approved, counting, judge, lookAgainMs, mayPass, unfit } from './gate-rules.js';

/** What a run knows of its gates beside their cells: plain data. */
export interface GatePolicyState {
  /** Signed texts that were said, as `FINGERPRINT DIGEST`; in histories of before, signatures. */
  readonly spent: string[];
  /** Nonces of the last openings, by gate. */
  readonly openings: Record<string, string>;
  /** Openings so far. */
  opened: number;
}

/** How a run opens its gates. */
export interface GateOptions {
  /** False in a rehearsal, which passes gates at once. */
  readonly stops: boolean;
  readonly startedBy: string | null;
  /** How far the run's own time is ahead of the clock. */
  readonly aheadMs: () => number;
  /** Name of a gate's opening, never the same twice. @param opening its number in the run */
  readonly nonce: (opening: number) => string;
}

/** The gates of a run: which stand open, and what a word does to them. Knows nothing of signatures: who said a word was looked into before. */
export class GatePolicy {
  /** Steps that are gates. */
  readonly #gates: readonly number[];
  readonly state: GatePolicyState = { spent: [], openings: {}, opened: 0 };

  constructor(
    private readonly graph: RunGraph,
    private readonly options: GateOptions,
  ) {
    this.#gates = graph.steps.flatMap(({ gate }, step) => (gate === undefined ? [] : [step]));
  }

  /** Gates that wait. */
  get waiting(): number {
    return this.#shut().length;
  }

  /** Whether a step that could start has first to be asked about. */
  mustAsk(step: number): boolean {
    return this.options.stops && this.graph.steps[step]!.gate !== undefined && this.#cell(step).gate?.passed !== true;
  }

  /** It is known what the gate is about; now it waits. Yeses to other bytes are void. */
  opened(step: number, { manifest, earlier, targets = [] }: OpenedGate): void {
    const { gate: before } = this.#cell(step); // of an earlier round
    const isAsBefore = before?.manifest === manifest && isSame(before.targets, targets);
    const { approvals, openedAtMs, nonce } = isAsBefore
      ? before
      : { approvals: [], openedAtMs: this.graph.nowMs, nonce: this.options.nonce(++this.state.opened) };
    this.#cell(step).gate = { manifest, nonce, targets, openedAtMs, approvals, void: earlier, passed: false };
    this.state.openings[this.#rules(step).gate] = nonce;
    this.graph.standAtGate(step);
  }

  /** Lets those through that have waited enough. */
  letThrough(): void {
    for (const step of this.#shut()) {
      const cell = this.#cell(step);
      if (!mayPass(this.#rules(step), cell.gate!, this.graph.nowMs)) continue;
      cell.gate = { ...cell.gate!, passed: true };
      this.graph.passGate(step);
    }
  }

  /** Earliest time at which a gate may open by itself, or needs a new yes. */
  nextMs(): number | null {
    const times = this.#shut().map((step) => lookAgainMs(this.#rules(step), this.#cell(step).gate!, this.graph.nowMs));
    const told = times.filter((time) => time !== null);
    return told.length === 0 ? null : Math.min(...told);
  }

  /** What is wrong with a word whoever said it: then nobody need look at its signature. */
  refusal(word: GateWord): Problem | null {
    const found = this.#find(word.gate);
    return typeof found === 'number' ? unfit(this.#rules(found), this.#cell(found).gate!, word) : found;
  }

  /** The opening that a word is about; null where its gate does not wait. */
  opening(word: GateWord): Opening | null {
    const found = this.#find(word.gate);
    if (typeof found !== 'number') return null;
    const { nonce, targets } = this.#cell(found).gate!;
    return { nonce, targets };
  }

  /** @param nonce of the opening for which the word was looked into
   * @param fail shuts the step with a problem */
  say(word: GateWord, vetted: Vetted, nonce: string, fail: (step: number, problem: Problem) => void): WordAnswer {
    const step = this.#find(word.gate);
    if (typeof step !== 'number') return { ok: false, problem: step };
    const { id } = this.graph.steps[step]!;
    const rules = this.#rules(step);
    const cell = this.#cell(step);
    if (nonce !== cell.gate!.nonce) return { ok: false, problem: openedAgain(rules.gate) };
    const { aheadMs, startedBy } = this.options;
    const moment = { nowMs: this.graph.nowMs, aheadMs: aheadMs(), startedBy };
    const said = judge(rules, cell.gate!, word, vetted, moment);
    if ('code' in said) return { ok: false, problem: said };
    const spends = spentBy(word, vetted);
    if (spends !== null && this.state.spent.includes(spends)) return { ok: false, problem: approvalUsed(rules.gate) };
    if (spends !== null) this.state.spent.push(spends);
    const by = `${said.by} (${said.signer === null ? 'unverified' : `${said.signer.group}, ${said.signer.fingerprint}`})`;
    if (word.word === 'reject') {
      fail(step, gateRejected(rules.gate, said.by, word.reason));
      return { ok: true, did: `${id} is rejected by ${by}: nothing behind it is published`, steps: [id] };
    }
    cell.gate = approved(cell.gate!, said);
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

/** Not the armour: one signature can be wrapped in many ways. */
const spentBy = ({ signature }: GateWord, vetted: Vetted): string | null =>
  vetted.ok && vetted.signer !== null && vetted.text !== undefined
    ? `${vetted.signer.fingerprint} ${vetted.text}`
    : (signature ?? null);

const isSame = (some: readonly TargetAddress[], others: readonly TargetAddress[]): boolean =>
  canonical(some) === canonical(others);
