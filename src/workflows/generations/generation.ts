import { CancellationScope, setCurrentDetails, setHandler, setWorkflowOptions } from '@temporalio/workflow';
import type { Numbered } from '../../engine/run/inputs.js';
import { unpacked } from '../../engine/handover/packed.js';
import { Scheduler } from '../../engine/run/scheduler.js';
import { CONTROL } from '../../model/ids.js';
import type { WordAnswer } from '../../model/words.js';
import { TemporalExecutor } from '../temporal-executor.js';
import { Inputs } from '../inputs.js';
import { coded, guarded, unlessFatal } from '../fatal-errors.js';
import { runSteps } from '../run-steps.js';
import { onlyChildOf } from '../only-child.js';
import { handOverDue } from './due.js';
import { InOrder } from './in-order.js';
import { KeptWords } from './kept-words.js';
import { relaySignal, type GenerationInput, type Outcome, type Relayed, type GenerationNotice } from './messages.js';
import { OutputBudget } from './output-budget.js';
import { parts } from './parts.js';
import { Reports } from './reports.js';

/** Carries a run on where an earlier generation left off, until it has ended or the next one takes over; then it only waits for
 * what it started, and tells what became of it. */
export async function generation(input: GenerationInput): Promise<void> {
  try {
    onlyChildOf((input as GenerationInput | undefined)?.root);
    const one = new Generation(input);
    await CancellationScope.nonCancellable(() => unlessFatal(one.carryOn()));
  } catch (error) {
    throw coded(error, {
      id: `generation ${(input as GenerationInput | undefined)?.number}`,
      kind: 'generation',
      on: CONTROL,
    });
  }
}

setWorkflowOptions({ failureExceptionTypes: [Error] }, generation);

const OUTCOMES: readonly Numbered['what'][] = ['ended', 'opened', 'known'];

class Generation {
  readonly #scheduler: Scheduler;
  readonly #inputs: Inputs;
  readonly #reports: Reports;
  readonly #hands: TemporalExecutor;
  readonly #kept = new KeptWords();
  /** Numbers that the root gave to what it relayed, by those that they got here. */
  readonly #relayed = new Map<number, number>();
  #lastRelayed = 0;
  #decides = true;
  #asked = false;

  /** Takes messages before the first wait: none is lost. */
  constructor(private readonly input: GenerationInput) {
    const { baggage, rules, root, number } = input;
    const skeleton = unpacked(baggage.skeleton);
    this.#scheduler = Scheduler.resumed(baggage, { ...rules, random: Math.random }, skeleton);
    this.#inputs = new Inputs(this.#scheduler.lastApplied);
    this.#reports = new Reports(input, this.#scheduler, () => this.#cancel('the run that it belongs to is gone'));
    const output = new OutputBudget(input.rootBytes);
    this.#hands = new TemporalExecutor(skeleton, this.#inputs, {
      run: { workflowId: root.workflowId, runId: root.runId },
      priority: rules.priority,
      kept: () => this.#kept.all(),
      answer: (no, answer) => this.#answer(no, answer),
      tell: (telling: GenerationNotice) => this.#reports.add('tellings', telling),
      bound: (problems) => output.bound(problems),
      abortElsewhere: (step) => this.#reports.add('aborts', step),
    });
    const relayed = new InOrder<Relayed>((one) => this.#receive(one));
    setHandler(
      relaySignal,
      guarded((one) => relayed.take(one)),
    );
    CancellationScope.current().cancelRequested.catch(() => this.#cancel('cancel was asked for'));
    setCurrentDetails(
      `Generation ${number} (rules ${this.#scheduler.engine}) of \`${root.workflowId}\`: look there, and say your words there.`,
    );
    this.#receive({ inputs: input.inputs });
  }

  async carryOn(): Promise<void> {
    const { handOverAfter } = this.input.rules;
    const due = (): boolean => this.#asked || handOverDue(handOverAfter);
    const ended = await runSteps(this.#scheduler, this.#inputs, this.#hands, () => this.#reports.look(), due);
    this.#decides = false;
    this.#hands.wakeIn(null);
    const underWay = this.#hands.underWay();
    this.#reports.tell(ended ? { ended: true } : { handedOver: { lastRelayed: this.#lastAppliedOfRoot(), underWay } });
    if (!ended) await this.#drain();
    await this.#reports.sent();
  }

  /** Old generations report outcomes and never decide. */
  async #drain(): Promise<void> {
    for (;;) {
      const outcomes = this.#inputs.take().filter(({ what }) => OUTCOMES.includes(what));
      if (outcomes.length > 0)
        for (const part of parts(outcomes as readonly Outcome[])) this.#reports.send({ outcomes: part });
      if (this.#hands.underWay().length === 0) return;
      await this.#inputs.arrival();
    }
  }

  #receive({ inputs = [], aborts = [], kept, handOver }: Omit<Relayed, 'no'>): void {
    if (kept !== undefined) this.#kept.upTo(kept);
    for (const step of aborts) this.#hands.abort(step);
    if (handOver) this.#askForHandOver();
    for (const { no, ...input } of inputs) {
      if (!this.#decides || no <= this.#lastRelayed) continue;
      this.#lastRelayed = no;
      this.#relayed.set(this.#inputs.push({ ...input, atMs: Date.now() }), no);
    }
  }

  /** What came after that is relayed to the next one again. */
  #lastAppliedOfRoot(): number {
    const { lastApplied } = this.#scheduler;
    return Math.max(0, ...[...this.#relayed].filter(([here]) => here <= lastApplied).map(([, no]) => no));
  }

  #askForHandOver(): void {
    this.#asked = true;
    this.#inputs.nudge();
  }

  #answer(here: number, answer: WordAnswer): void {
    const no = this.#relayed.get(here)!;
    this.#kept.expect(no);
    this.#reports.add('answers', { no, answer });
  }

  #cancel(reason: string): void {
    if (this.#decides) this.#inputs.push({ what: 'cancel', reason, atMs: Date.now() });
    else for (const { step } of this.#hands.underWay()) this.#hands.abort(step);
  }
}
