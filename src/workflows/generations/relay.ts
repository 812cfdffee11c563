import { condition, setHandler, workflowInfo } from '@temporalio/workflow';
import { apart } from '../../engine/handover/carried-cell.js';
import { Outputs } from '../../engine/handover/outputs.js';
import type { Scheduler } from '../../engine/run/scheduler.js';
import { fail } from '../../model/failure.js';
import type { Verdict } from '../../model/messages.js';
import { generationClosed, generationLost } from '../errors.js';
import type { TemporalExecutor } from '../temporal-executor.js';
import type { Inputs } from '../inputs.js';
import { guarded, unawaited } from '../fatal-errors.js';
import { codedIn } from '../problems-of.js';
import type { Notifications } from '../notifications.js';
import type { Words } from '../words.js';
import { Children, type Closed } from './children.js';
import { reportSignal, type GenerationReport, type Rules, type UnderWay } from './messages.js';
import { Outgoing } from './outgoing.js';

/** What the root is to the outside, whoever carries out the steps. */
export interface RootContext {
  readonly inputs: Inputs;
  readonly words: Words;
  readonly tellings: Notifications;
  /** Knows the whole plan, and learns how it stands. */
  readonly scheduler: Scheduler;
  /** Those of generation 0, which is the root itself. */
  readonly hands: TemporalExecutor;
  readonly rules: Rules;
}

/** The root after it handed over: gives what happens to the generation that decides, and shows what that one tells. It decides
 * nothing, and stays small. */
export class Relay {
  readonly #reports: GenerationReport[] = [];
  readonly #closed: Closed[] = [];
  readonly #children = new Children(
    (report) => this.#reports.push(report),
    (closed) => this.#closed.push(closed),
  );
  readonly #outgoing: Outgoing;
  /** Attempts that a generation started which does not decide any more. */
  readonly #owners = new Map<number, UnderWay & { readonly generation: number }>();
  /** Of attempts whose generations do not decide any more. */
  readonly #outputs = new Outputs();
  #current = 0;
  #over = false;

  constructor(private readonly face: RootContext) {
    this.#outgoing = new Outgoing(face.scheduler);
    setHandler(
      reportSignal,
      guarded((report) => this.#children.heard(report)),
      { description: 'not for people' },
    );
  }

  /** @param onChange called before each wait */
  async carryOn(onChange: () => void): Promise<Verdict> {
    await this.#handOver(0, this.face.hands.underWay());
    for (;;) {
      onChange();
      const { inputs } = this.face;
      await condition(() => this.#reports.length + this.#closed.length > 0 || inputs.some);
      // A generation has told all before it closes: what it told comes first, also what came while we waited.
      while (this.#reports.length > 0) await this.#take(this.#reports.shift()!);
      for (const closed of this.#closed.splice(0)) this.#lost(closed);
      if (this.#over) break;
      this.#forward();
    }
    await condition(() => this.#children.size === 0);
    return this.face.scheduler.verdict();
  }

  async #take({
    from,
    learnt,
    answers = [],
    aborts = [],
    tellings = [],
    outcomes = [],
    ...last
  }: GenerationReport): Promise<void> {
    const { scheduler, inputs, words } = this.face;
    if (learnt) scheduler.carrier.learn({ ...learnt, cells: this.#outputs.giveBack(apart(learnt.cells)) });
    for (const { no, answer } of answers) words.answer(no, answer);
    if (answers.length > 0) this.#tellKept(from, Math.max(...answers.map(({ no }) => no)));
    for (const telling of tellings) this.face.tellings.tell(telling.no, telling.notices, telling.more);
    for (const step of aborts) this.#abort(step);
    for (const outcome of outcomes) {
      this.#owners.delete(outcome.step);
      inputs.push(outcome);
    }
    if (last.ended) this.#over = true;
    if (!last.handedOver) return;
    this.#outgoing.applied(last.handedOver.lastRelayed);
    await this.#handOver(from, last.handedOver.underWay);
  }

  /** Steps that start read there what people said. */
  #tellKept(generation: number, no: number): void {
    unawaited(this.face.words.kept().then(() => this.#children.send(generation, { kept: no })));
  }

  async #handOver(from: number, underWay: readonly UnderWay[]): Promise<void> {
    const { scheduler, words, rules } = this.face;
    for (const one of underWay) this.#owners.set(one.step, { ...one, generation: from });
    await words.kept();
    this.#current = from + 1;
    this.#outgoing.add(this.face.inputs.take().map((input) => this.#outputs.keep(input)));
    this.#answerAlone();
    const { workflowId, runId, historySize: rootBytes } = workflowInfo();
    const { inputs, from: again } = this.#outgoing.replayed();
    const baggage = scheduler.carrier.whole(again);
    const root = { workflowId, runId };
    await this.#children.start({ number: this.#current, root, rules, baggage, rootBytes, inputs });
  }

  #forward(): void {
    this.#outgoing.add(this.face.inputs.take().map((input) => this.#outputs.keep(input)));
    this.#answerAlone();
    const { batches, handOver } = this.#outgoing.ready();
    for (const inputs of batches) this.#children.send(this.#current, { inputs });
    if (handOver) this.#children.send(this.#current, { handOver });
  }

  #answerAlone(): void {
    for (const { no, answer } of this.#outgoing.answeredAlone()) this.face.words.answer(no, answer);
  }

  #abort(step: number): void {
    const owner = this.#owners.get(step)?.generation;
    if (owner === 0) this.face.hands.abort(step);
    else if (owner !== undefined) this.#children.send(owner, { aborts: [step] });
  }

  /** What an old generation does not tell any more is lost; without the one that decides, the run cannot go on. */
  #lost({ number, error }: Closed): void {
    for (const { step, attempt, generation } of [...this.#owners.values()])
      if (generation === number) {
        this.#owners.delete(step);
        const problems = [generationLost(number)];
        this.face.inputs.push({
          what: 'ended',
          step,
          attempt,
          ending: { outcome: 'failed', problems },
          atMs: Date.now(),
        });
      }
    if (number === this.#current && !this.#over) throw fail(codedIn(error) ?? generationClosed(number, error));
  }
}
