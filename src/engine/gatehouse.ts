import type { Digest } from '../model/digest.js';
import type { Problem } from '../model/failure.js';
import { gateId, type GateRules, type GateWord, type Vetted, type VoidApproval } from '../model/gate.js';
import type { WordAnswer } from '../model/words.js';
import type { Board } from './board.js';
import type { Cell } from './cell.js';
import { approvalUsed, gateNotWaiting, gateRejected, gateUnknown } from './gates/errors.js';
import { approved, counting, judge, lookAgainMs, mayPass, unfit } from './gates.js';

/** What a run knows of its gates beside their cells: plain data. */
export interface GatehouseState {
  /** Signatures that counted once: nobody says another's word again after a no. */
  readonly spent: string[];
}

/** The gates of a run: which stand open, and what a word does to them. Knows nothing of signatures: who said a word was looked into before. */
export class Gatehouse {
  /** Steps that are gates. */
  readonly #gates: readonly number[];
  readonly state: GatehouseState = { spent: [] };

  /** @param stops false in a rehearsal, which passes gates at once
   * @param aheadMs how far the run's own time is ahead of the clock */
  constructor(
    private readonly board: Board,
    private readonly stops: boolean,
    private readonly startedBy: string | null,
    private readonly aheadMs: () => number = () => 0,
  ) {
    this.#gates = board.steps.flatMap(({ gate }, step) => (gate === undefined ? [] : [step]));
  }

  /** Gates that wait. */
  get waiting(): number {
    return this.#shut().length;
  }

  /** Whether a step that could start has first to be asked about. */
  mustAsk(step: number): boolean {
    return this.stops && this.board.steps[step]!.gate !== undefined && this.#cell(step).gate?.passed !== true;
  }

  /** It is known what the gate is about; now it waits. Yeses to other bytes are void. */
  opened(step: number, manifest: Digest, earlier: readonly VoidApproval[]): void {
    const before = this.#cell(step).gate; // of an earlier round
    const { approvals, openedAtMs } =
      before?.manifest === manifest ? before : { approvals: [], openedAtMs: this.board.nowMs };
    this.#cell(step).gate = { manifest, openedAtMs, approvals, void: earlier, passed: false };
    this.board.standAtGate(step);
  }

  /** Lets those through that have waited enough. */
  letThrough(): void {
    for (const step of this.#shut()) {
      const cell = this.#cell(step);
      if (!mayPass(this.#rules(step), cell.gate!, this.board.nowMs)) continue;
      cell.gate = { ...cell.gate!, passed: true };
      this.board.passGate(step);
    }
  }

  /** Earliest time at which a gate may open by itself, or needs a new yes. */
  nextMs(): number | null {
    const times = this.#shut().map((step) => lookAgainMs(this.#rules(step), this.#cell(step).gate!, this.board.nowMs));
    const told = times.filter((time) => time !== null);
    return told.length === 0 ? null : Math.min(...told);
  }

  /** What is wrong with a word whoever said it: then nobody need look at its signature. */
  refusal(word: GateWord): Problem | null {
    const found = this.#find(word.gate);
    return typeof found === 'number' ? unfit(this.#rules(found), this.#cell(found).gate!, word) : found;
  }

  /** @param fail shuts the step with a problem */
  say(word: GateWord, vetted: Vetted, fail: (step: number, problem: Problem) => void): WordAnswer {
    const step = this.#find(word.gate);
    if (typeof step !== 'number') return { ok: false, problem: step };
    const { id } = this.board.steps[step]!;
    const rules = this.#rules(step);
    const cell = this.#cell(step);
    const moment = { nowMs: this.board.nowMs, aheadMs: this.aheadMs(), startedBy: this.startedBy };
    const said = judge(rules, cell.gate!, word, vetted, moment);
    if ('code' in said) return { ok: false, problem: said };
    if (this.state.spent.includes(word.signature ?? '')) return { ok: false, problem: approvalUsed(rules.gate) };
    if (word.signature !== undefined) this.state.spent.push(word.signature);
    const by = `${said.by} (${said.signer === null ? 'unverified' : `${said.signer.group}, ${said.signer.fingerprint}`})`;
    if (word.word === 'reject') {
      fail(step, gateRejected(rules.gate, said.by, word.reason));
      return { ok: true, did: `${id} is rejected by ${by}: nothing behind it is published`, steps: [id] };
    }
    cell.gate = approved(cell.gate!, said);
    const count = counting(cell.gate, this.board.nowMs).length;
    return { ok: true, did: `${id} is approved by ${by}: ${count} of ${rules.quorum}`, steps: [id] };
  }

  #find(gate: string): number | Problem {
    const step = this.#gates.find((candidate) => this.board.steps[candidate]!.id === gateId(gate));
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
    return this.board.steps[step]!.gate!;
  }

  #cell(step: number): Cell {
    return this.board.cells[step]!;
  }
}
