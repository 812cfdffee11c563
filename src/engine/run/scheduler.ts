import type { StepStatus, Verdict, WaitingQueue } from '../../model/messages.js';
import type { Outage } from '../../model/outage.js';
import type { Skeleton } from '../../model/plan.js';
import { WALK } from '../../model/reuse.js';
import type { FleetSeen } from '../../model/worker.js';
import type { WordAnswer } from '../../model/words.js';
import { UnservedQueues } from '../outages/unserved-queues.js';
import { WordAnswers } from './word-answers.js';
import { behindSeal } from './sealed-input.js';
import { RunGraph } from './run-graph.js';
import { Cancelling } from './cancelling.js';
import { newRun, withinBounds, type RunRecord, type SchedulerSnapshot } from '../checkpoint/snapshot.js';
import type { StepProgress } from './step-progress.js';
import { Conflicts } from './conflicts.js';
import { AttemptResults } from './attempt-results.js';
import { GatePolicy } from '../gates/gate-policy.js';
import { drawNonce } from '../gates/nonce.js';
import type { Command, Numbered } from './inputs.js';
import { CacheLookup } from '../cache/cache-lookup.js';
import { earliest } from './earliest.js';
import { HISTORY_IS_LONG } from './errors.js';
import { outageStory } from '../outages/sentences.js';
import { Outages } from '../outages/outages.js';
import { putStates, statesOf, type Policies } from './policies.js';
import { Reminders } from '../notify/reminders.js';
import { statusOf } from './status.js';
import { verdictOf } from './verdict.js';
import type { WindowsState } from './windows.js';
import { engineOf, raised } from './engine-versions.js';

export interface SchedulerOptions {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Uniform in [0, 1). The same inputs and the same chance give the same commands. */
  readonly random: () => number;
  /** A step that failed for good waits for a word, or ends and takes with it what stands on it. */
  readonly onFailure?: 'hold' | 'fail';
  /** A rehearsal too waits at gates. */
  readonly stopAtGates?: boolean;
  /** Rules to decide by, of a run that begins; see engine-versions.ts. */
  readonly engine?: number;
  /** Who started the run. */
  readonly startedBy?: string;
}

/** Decides what a run does next. Pure: it knows the skeleton and the inputs applied so far, and nothing of time,
 * chance or Temporal but what they bring. Use: `for (command of next()) carry it out; apply(input); …` until `ended`. */
export class Scheduler {
  /** Set once `next()` has answered the command `end`. */
  ended: Verdict | null = null;
  /** To words. */
  readonly answers: WordAnswers;

  readonly #state: RunRecord;
  readonly #graph: RunGraph;
  readonly #unservedQueues: UnservedQueues;
  readonly #cancelling: Cancelling;
  readonly #gates: GatePolicy;
  readonly #conflicts: Conflicts;
  readonly #cacheLookup: CacheLookup;
  readonly #outages: Outages;
  readonly #attemptResults: AttemptResults;
  readonly #reminders: Reminders;
  readonly #policies: Policies;
  #commands: Command[] = [];
  /** Time of the one timer. */
  #wakeAtMs: number | null = null;
  #draining = false;

  /** @param resumed what another scheduler of this run knew when it stopped */
  constructor(
    private readonly skeleton: Skeleton,
    options: SchedulerOptions,
    resumed: SchedulerSnapshot | null = null,
  ) {
    this.#state = { ...newRun(options.nowMs, engineOf(options.engine)), ...resumed?.run };
    engineOf(this.#state.engine);
    const endsInstead = (step: number): boolean => this.#cancelling.endsInstead(step);
    this.#graph = new RunGraph(skeleton, resumed?.nowMs ?? options.nowMs, endsInstead, resumed?.steps);
    this.#graph.round = this.#state.round;
    const stops = !skeleton.rehearsal || options.stopAtGates === true;
    this.#gates = new GatePolicy(this.#graph, {
      ...{ stops, startedBy: options.startedBy ?? null, aheadMs: () => this.aheadMs },
      nonce: () => drawNonce(options.random),
    });
    this.#conflicts = new Conflicts(this.#graph);
    this.#cacheLookup = new CacheLookup(this.#graph, skeleton, {
      found: (step, ending) => this.#attemptResults.found(step, ending),
    });
    this.#cancelling = new Cancelling(this.#graph, this.#state, {
      ...{ conflicts: this.#conflicts, cacheLookup: this.#cacheLookup, abort: (step) => this.#abort(step) },
      goOn: () => {
        this.#pause(null);
        this.#outages.stop();
      },
    });
    this.#unservedQueues = new UnservedQueues(this.#graph.steps, this.#graph.cells);
    this.#unservedQueues.set(skeleton.unserved ?? []);
    this.#reminders = new Reminders(this.#graph, skeleton.notify?.remind ?? null, () => this.#outages.told());
    this.#outages = new Outages(this.#graph, {
      random: options.random,
      isServed: (step) => !this.#unservedQueues.holds(step),
      stops: (step) => this.#conflicts.stops(step),
      fail: (step, problem) => this.#attemptResults.failed(step, problem),
    });
    this.#attemptResults = new AttemptResults(this.#graph, {
      ...options,
      retries: skeleton.retries,
      unservedQueues: this.#unservedQueues,
      conflicts: this.#conflicts,
      cacheLookup: this.#cacheLookup,
      outages: this.#outages,
      sealed: (digest) => (this.#state.sealed = digest),
      cancelling: () => this.cancelling,
      cancels: (step) => (this.#cancelling.stops(step) ? this.#cancelling.reason : null),
      abort: (step) => this.#abort(step),
    });
    this.answers = new WordAnswers(this.#graph, {
      ...{
        unservedQueues: this.#unservedQueues,
        cancelling: this.#cancelling,
        conflicts: this.#conflicts,
        attemptResults: this.#attemptResults,
      },
      ...{ gates: this.#gates, cacheLookup: this.#cacheLookup, outages: this.#outages },
      abort: (step) => this.#abort(step),
      pause: (why) => this.#pause(why),
    });
    this.#policies = {
      ...{
        unservedQueues: this.#unservedQueues,
        conflicts: this.#conflicts,
        gates: this.#gates,
        cacheLookup: this.#cacheLookup,
      },
      ...{ outages: this.#outages, reminders: this.#reminders, retryBudget: this.#attemptResults.retryBudget },
      windows: this.#graph.windows,
    };
    if (resumed !== null) putStates(this.#policies, resumed.policies);
  }

  /** Returns all that it knows. A scheduler of the newest rules goes on from there. Carry out all commands first. */
  snapshot(): SchedulerSnapshot {
    const { round, nowMs } = this.#graph;
    const run = { ...this.#state, round, engine: raised(this.#state.engine) };
    return { run, nowMs, policies: statesOf(this.#policies), steps: withinBounds(this.#graph.rows()) };
  }

  /** Starts nothing from now on. What runs goes on to its end, and words are answered. */
  drain(): void {
    this.#draining = true;
  }

  /** Why ready steps do not start, if nothing starts any more. Null otherwise. */
  get drains(): string | null {
    return this.#draining && this.#graph.count('running') > 0 ? HISTORY_IS_LONG : null;
  }

  /** Of a run whose steps have all ended. */
  verdict(): Verdict {
    const { rehearsal, dropped } = this.skeleton;
    const around = { rehearsal, dropped, cancelled: this.#state.cancelled };
    const { verdict, reasons } = verdictOf(this.#graph.steps, this.#graph.cells, around);
    return { verdict, reasons: [...reasons, ...this.#outages.told().map(outageStory)] };
  }

  /** Rules that it decides by. */
  get engine(): number {
    return this.#state.engine;
  }

  /** Number of the last input applied. */
  get lastApplied(): number {
    return this.#state.lastApplied;
  }

  /** Why nothing more is started, where somebody paused the run. */
  get paused(): string | null {
    return this.#state.paused;
  }

  get cancelling(): boolean {
    return this.#state.cancelled !== null;
  }

  /** Steps that failed for good and wait for a word. */
  get held(): number {
    return this.#graph.count('held');
  }

  /** Gates that wait. */
  get atGates(): number {
    return this.#gates.waiting;
  }

  /** Nothing goes on without a word: no attempt is under way, and none is planned. */
  get still(): boolean {
    const moves = this.#graph.count('running') + this.#graph.count('backing off');
    return moves === 0 && !this.#outages.waiting && !this.#cacheLookup.underWay;
  }

  status(): readonly StepStatus[] {
    return statusOf(
      this.#graph.steps,
      this.#graph.cells,
      this.skeleton.dropped,
      this.#unservedQueues,
      this.#graph.nowMs,
    );
  }

  /** Queues that nobody serves and that steps wait for. */
  waiting(): readonly WaitingQueue[] {
    return this.#unservedQueues.waiting();
  }

  /** Queues without a worker and the known slots, as the watch over workers told last. */
  fleetSeen(): FleetSeen {
    const since = Object.entries(this.#unservedQueues.state.since);
    return {
      unserved: since.map(([queue, atMs]) => ({ queue, since: atMs - this.aheadMs })),
      slots: this.#graph.windows.state.slots,
    };
  }

  /** Slots of the queues of which they are known, and the windows that follow from them. */
  fleet(): Pick<WindowsState, 'slots' | 'sizes'> {
    return this.#graph.windows.state;
  }

  /** Steps wait for a service that does not answer. */
  get awaitsService(): boolean {
    return this.#outages.waiting;
  }

  /** Services that did not answer, and for which steps waited. */
  outages(): readonly Outage[] {
    return this.#outages.told();
  }

  apply(input: Numbered): void {
    if (input.no <= this.lastApplied || this.ended) return;
    this.#state.lastApplied = input.no;
    // The run's own time never goes back, and goes on from there when the clock is put right again.
    this.#graph.nowMs += Math.max(0, input.atMs - this.#state.clockMs);
    this.#state.clockMs = input.atMs;
    switch (input.what) {
      case 'known':
        return this.#cancelling.walked(() => this.#cacheLookup.walked(input));
      case 'ended':
        if (input.step === WALK) return this.#cancelling.walked(() => this.#cacheLookup.failed(input.attempt));
        return this.#attemptResults.ended(input.step, input.attempt, input.ending);
      case 'opened':
        return this.#opened(input);
      case 'wake':
        this.#wakeAtMs = null; // it has fired: whoever still waits asks for a new one
        return this.#graph.retryThoseDue();
      case 'fleet':
        if (input.slots) this.#graph.windows.set(input.slots);
        return this.#unservedQueues.set(input.unserved.map((one) => ({ ...one, since: one.since + this.aheadMs })));
      case 'cancel':
        return this.#cancelling.cancel(input.reason);
      case 'word':
        return this.#answer(input.no, this.answers.say(input.word));
      case 'gate word':
        return this.#answer(input.no, this.answers.sayAtGate(input.word, input.vetted, input.nonce));
      default:
        return input satisfies never;
    }
  }

  /** Commands since the last call, in the order to carry them out. */
  next(): readonly Command[] {
    if (this.ended) return [];
    this.#attemptResults.giveUpThoseDue();
    this.#gates.letThrough();
    if (this.paused === null) this.#outages.look();
    const said = this.#commands.splice(0);
    const mayStart = this.paused === null && !this.#draining;
    const started = mayStart ? this.#graph.start((step) => this.#mayStart(step)) : [];
    const { round } = this.#graph;
    const starts = started.map((step): Command => {
      const how = this.#gates.mustAsk(step) ? 'open' : 'start';
      return {
        do: how,
        step,
        attempt: this.#cell(step).attempt,
        ...(round > 1 && { round }),
        ...behindSeal(this.#graph.steps[step]!, this.#state, this.#gates.state),
      };
    });
    return [
      ...said,
      ...starts,
      ...(mayStart ? this.#cacheLookup.walk() : []),
      ...this.#reminders.tell(),
      ...this.#timer(),
      ...this.#end(),
    ];
  }

  /** The run's own time goes on where the clock is put back. */
  get aheadMs(): number {
    return this.#graph.nowMs - this.#state.clockMs;
  }

  #cell(step: number): StepProgress {
    return this.#graph.cells[step]!;
  }

  #mayStart(step: number): boolean {
    if (this.#cancelling.stops(step)) return false; // it ends with the walk that may reach it
    return this.#cacheLookup.mayStart(step) && this.#conflicts.mayStart(step) && this.#outages.mayStart(step);
  }

  #timer(): readonly Command[] {
    const others = [
      this.#unservedQueues.nextMs(),
      this.#gates.nextMs(),
      this.#outages.nextMs(),
      this.#reminders.nextMs(),
    ];
    const atMs = earliest([this.#graph.dueAtMs, ...others]);
    if (atMs === this.#wakeAtMs) return [];
    this.#wakeAtMs = atMs;
    return [{ do: 'wakeAt', atMs, inMs: atMs === null ? null : Math.max(1, atMs - this.#graph.nowMs) }];
  }

  #end(): readonly Command[] {
    if (this.#graph.open > 0 || this.#cacheLookup.underWay) return [];
    this.ended = this.verdict();
    return [{ do: 'end', verdict: this.ended }];
  }

  #opened({ step, attempt, ...opened }: Extract<Numbered, { what: 'opened' }>): void {
    const cell = this.#graph.cells[step];
    if (cell?.state !== 'running' || cell.attempt !== attempt) return;
    this.#graph.release(step);
    if (this.#attemptResults.beginsAnew(step)) return;
    if (this.#cancelling.stops(step)) return this.#attemptResults.cancelled(step);
    this.#outages.succeeded(step);
    this.#gates.opened(step, opened);
  }

  #abort(step: number): void {
    this.#commands.push({ do: 'abort', step });
  }

  #pause(why: string | null): void {
    this.#state.paused = why;
    if (why !== null) return this.#unservedQueues.stop();
    this.#unservedQueues.goOn(this.#graph.nowMs);
    this.#outages.goOn();
  }

  #answer(no: number, answer: WordAnswer): void {
    this.#commands.push({ do: 'answer', no, answer });
  }
}
