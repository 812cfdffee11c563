import type { StepStatus, Verdict, WaitingQueue } from '../../model/messages.js';
import type { Outage } from '../../model/outage.js';
import type { Skeleton } from '../../model/plan.js';
import { CACHE_LOOKUP } from '../../model/reuse.js';
import type { FleetSeen } from '../../model/worker.js';
import type { ActionAnswer } from '../../model/actions.js';
import { wire, type SchedulerParts } from './wiring.js';
import type { ActionAnswers } from './action-answers.js';
import { behindSeal } from './sealed-input.js';
import { newRun, withinBounds, type RunRecord, type SchedulerSnapshot } from '../checkpoint/snapshot.js';
import type { Command, Numbered } from './inputs.js';
import { earliest } from './earliest.js';
import { HISTORY_IS_LONG } from './errors.js';
import { outageStory } from '../outages/sentences.js';
import { statesOf } from './policies.js';
import { statusOf } from './status.js';
import { verdictOf } from './verdict.js';
import type { WindowsState } from './windows.js';
import { engineOf, raised } from './engine-versions.js';

export interface SchedulerOptions {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Uniform in [0, 1). The same inputs and random numbers give the same commands. */
  readonly random: () => number;
  /** A step whose retries are used up waits for an operator, or fails with its dependents. */
  readonly onFailure?: 'hold' | 'fail';
  /** True to wait at gates in a rehearsal. */
  readonly stopAtGates?: boolean;
  /** Version of the rules for a new run; see engine-versions.ts. */
  readonly engine?: number;
  readonly startedBy?: string;
}

/** Policies that set the timer besides back-off, and what the run then waits for. */
const WAITS = [
  ['unservedQueues', 'the time limit of a wait for workers'],
  ['gates', 'a time of a gate'],
  ['outages', 'the next probe of a service that does not answer'],
  ['reminders', 'the next reminder'],
] as const;

/** Decides what a run does next. Pure: it depends only on the skeleton and the applied inputs, which carry time and
 * chance. Use: `for (command of next()) execute(command); apply(input); …` until `ended`. */
export class Scheduler {
  /** Set after `next()` has returned the command `end`. */
  ended: Verdict | null = null;
  readonly answers: ActionAnswers;

  readonly #state: RunRecord;
  readonly #parts: SchedulerParts;
  #commands: Command[] = [];
  #wakeAtMs: number | null = null;
  #draining = false;

  /** @param resumed snapshot of the run's previous scheduler */
  constructor(
    private readonly skeleton: Skeleton,
    options: SchedulerOptions,
    resumed: SchedulerSnapshot | null = null,
  ) {
    this.#state = { ...newRun(options.nowMs, engineOf(options.engine)), ...resumed?.run };
    engineOf(this.#state.engine);
    this.#parts = wire(skeleton, options, this.#state, resumed, {
      abort: (step) => this.#abort(step),
      pause: (why) => this.#pause(why),
      aheadMs: () => this.aheadMs,
    });
    this.answers = this.#parts.answers;
  }

  /** Returns its state for a scheduler of the newest rules. Execute all commands first. */
  snapshot(): SchedulerSnapshot {
    const { round, nowMs } = this.#parts.graph;
    const run = { ...this.#state, round, engine: raised(this.#state.engine) };
    return { run, nowMs, policies: statesOf(this.#parts.policies), steps: withinBounds(this.#parts.graph.rows()) };
  }

  /** Starts no further step. Running steps continue to their end, and actions are answered. */
  drain(): void {
    this.#draining = true;
  }

  /** Why ready steps do not start while it drains. Null otherwise. */
  get drains(): string | null {
    return this.#draining && this.#parts.graph.count('running') > 0 ? HISTORY_IS_LONG : null;
  }

  /** Returns the verdict of a run whose steps have all ended. */
  verdict(): Verdict {
    const around = { ...this.skeleton, cancelled: this.#state.cancelled };
    const { verdict, reasons } = verdictOf(this.#parts.graph.steps, this.#parts.graph.cells, around);
    return { verdict, reasons: [...reasons, ...this.#parts.outages.told().map(outageStory)] };
  }

  get engine(): number {
    return this.#state.engine;
  }

  get lastApplied(): number {
    return this.#state.lastApplied;
  }

  get paused(): string | null {
    return this.#state.paused;
  }

  get cancelling(): boolean {
    return this.#state.cancelled !== null;
  }

  /** Number of held steps. */
  get held(): number {
    return this.#parts.graph.count('held');
  }

  get atGates(): number {
    return this.#parts.gates.waiting;
  }

  /** Whether only an operator's action continues the run: no attempt runs, and no retry is planned. */
  get still(): boolean {
    const moves = this.#parts.graph.count('running') + this.#parts.graph.count('backing off');
    return moves === 0 && !this.#parts.outages.waiting && !this.#parts.cacheLookup.underWay;
  }

  status(): readonly StepStatus[] {
    return statusOf(
      this.#parts.graph.steps,
      this.#parts.graph.cells,
      this.skeleton.dropped,
      this.#parts.unservedQueues,
      this.#parts.graph.nowMs,
    );
  }

  waiting(): readonly WaitingQueue[] {
    return this.#parts.unservedQueues.waiting();
  }

  /** Queues without a worker and the known slots, by the last input `fleet`. */
  fleetSeen(): FleetSeen {
    const since = Object.entries(this.#parts.unservedQueues.state.since);
    return {
      unserved: since.map(([queue, atMs]) => ({ queue, since: atMs - this.aheadMs })),
      slots: this.#parts.graph.windows.state.slots,
    };
  }

  /** Known slots by queue, and the resulting windows. */
  fleet(): Pick<WindowsState, 'slots' | 'sizes'> {
    return this.#parts.graph.windows.state;
  }

  get awaitsService(): boolean {
    return this.#parts.outages.waiting;
  }

  /** Outages that made steps wait. */
  outages(): readonly Outage[] {
    return this.#parts.outages.told();
  }

  apply(input: Numbered): void {
    if (input.no <= this.lastApplied || this.ended) return;
    this.#state.lastApplied = input.no;
    // The run's own time never goes back. It waits until a corrected clock catches up.
    this.#parts.graph.nowMs += Math.max(0, input.atMs - this.#state.clockMs);
    this.#state.clockMs = input.atMs;
    switch (input.what) {
      case 'known':
        return this.#parts.cancelling.afterLookup(() => this.#parts.cacheLookup.answered(input));
      case 'ended':
        if (input.step === CACHE_LOOKUP)
          return this.#parts.cancelling.afterLookup(() => this.#parts.cacheLookup.failed(input.attempt));
        return this.#parts.attemptResults.ended(input.step, input.attempt, input.ending);
      case 'opened':
        return this.#opened(input);
      case 'wake':
        this.#wakeAtMs = null; // It has fired. A policy that still waits sets a new one.
        return this.#parts.graph.retryThoseDue();
      case 'fleet':
        if (input.slots) this.#parts.graph.windows.set(input.slots);
        return this.#parts.unservedQueues.set(
          input.unserved.map((one) => ({ ...one, since: one.since + this.aheadMs })),
        );
      case 'cancel':
        return this.#parts.cancelling.cancel(input.reason);
      case 'action':
        return this.#answer(input.no, this.answers.answer(input.action));
      case 'gate action':
        return this.#answer(input.no, this.answers.answerAtGate(input.action, input.vetted, input.nonce));
      default:
        return input satisfies never;
    }
  }

  /** Returns the commands since the last call, in order of execution. */
  next(): readonly Command[] {
    if (this.ended) return [];
    this.#parts.attemptResults.giveUpThoseDue();
    this.#parts.gates.letThrough();
    this.#parts.conflicts.endStopped();
    if (this.paused === null) this.#parts.outages.look();
    const said = this.#commands.splice(0);
    const mayStart = this.paused === null && !this.#draining;
    const started = mayStart ? this.#parts.graph.start((step) => this.#mayStart(step)) : [];
    const { round, cells } = this.#parts.graph;
    const starts = started.map((step): Command => {
      const how = this.#parts.gates.mustAsk(step) ? 'open' : 'start';
      return {
        do: how,
        step,
        attempt: cells[step]!.attempt,
        ...(round > 1 && { round }),
        ...(cells[step]!.failures.includes('product') && { flaky: true as const }),
        ...behindSeal(this.#parts.graph.steps[step]!, this.#state, this.#parts.gates.state),
      };
    });
    return [
      ...said,
      ...starts,
      ...(mayStart ? this.#parts.cacheLookup.begin() : []),
      ...this.#parts.reminders.tell(),
      ...this.#timer(),
      ...this.#end(),
    ];
  }

  /** By how much the run's own time is ahead of a clock that was set back. */
  get aheadMs(): number {
    return this.#parts.graph.nowMs - this.#state.clockMs;
  }

  #mayStart(step: number): boolean {
    if (this.#parts.cancelling.why(step) !== null) return false; // it ends with the cache lookup that may reach it
    return (
      this.#parts.cacheLookup.mayStart(step) &&
      this.#parts.conflicts.mayStart(step) &&
      this.#parts.outages.mayStart(step)
    );
  }

  #timer(): readonly Command[] {
    const { due } = this.#parts.graph;
    const others = WAITS.map(([policy]) => this.#parts[policy].nextMs());
    const atMs = earliest([due?.atMs ?? null, ...others]);
    if (atMs === this.#wakeAtMs) return [];
    this.#wakeAtMs = atMs;
    if (atMs === null) return [{ do: 'wakeAt', atMs, inMs: null }];
    const summary = due?.atMs === atMs ? due.story : WAITS[others.indexOf(atMs)]![1];
    return [{ do: 'wakeAt', atMs, inMs: Math.max(1, atMs - this.#parts.graph.nowMs), summary }];
  }

  #end(): readonly Command[] {
    if (this.#parts.graph.open > 0 || this.#parts.cacheLookup.underWay) return [];
    this.ended = this.verdict();
    return [{ do: 'end', verdict: this.ended }];
  }

  #opened({ step, attempt, ...opened }: Extract<Numbered, { what: 'opened' }>): void {
    const cell = this.#parts.graph.cells[step];
    if (cell?.state !== 'running' || cell.attempt !== attempt) return;
    this.#parts.graph.release(step);
    if (this.#parts.attemptResults.beginsAnew(step)) return;
    if (this.#parts.cancelling.why(step) !== null) return this.#parts.attemptResults.cancelled(step);
    this.#parts.outages.succeeded(step);
    this.#parts.gates.opened(step, opened);
  }

  #abort(step: number): void {
    this.#commands.push({ do: 'abort', step });
  }

  #pause(why: string | null): void {
    this.#state.paused = why;
    if (why !== null) return this.#parts.unservedQueues.stop();
    this.#parts.unservedQueues.goOn(this.#parts.graph.nowMs);
    this.#parts.outages.goOn();
  }

  #answer(no: number, answer: ActionAnswer): void {
    this.#commands.push({ do: 'answer', no, answer });
  }
}
