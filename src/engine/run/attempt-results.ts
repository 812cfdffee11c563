import type { Digest } from '../../model/digest.js';
import { lostWorkers } from '../../model/answers.js';
import type { FailureClass, Problem } from '../../model/failure.js';
import type { LostWorker } from '../../model/lost-worker.js';
import { whoCould, type UnservedQueues } from '../outages/unserved-queues.js';
import type { RunGraph } from './run-graph.js';
import type { StepProgress } from './step-progress.js';
import type { Conflicts } from './conflicts.js';
import { nobodyCame } from './errors.js';
import type { AttemptResult, Success } from './inputs.js';
import type { CacheLookup } from '../cache/cache-lookup.js';
import type { Outages } from '../outages/outages.js';
import {
  afterRefusal,
  afterRunnerLost,
  classOf,
  isRefusal,
  isRunnerLost,
  next,
  type NextMove,
} from './next-after-failure.js';
import { RetryBudget } from './retry-budget.js';

/** Failures that use no retry of the step or the run. Each has its own limit. */
const isNotItsOwn = (problems: readonly Problem[]): boolean => isRefusal(problems) || isRunnerLost(problems);

/** Classes of a stopped attempt that count as its stop. Others are failures of the step. */
const ENDS_QUIETLY: readonly FailureClass[] = ['cancelled', 'infra', 'lost'];

/** Adds the workers that the attempt lost. A worker that answers may give anything as details of a problem. */
function addLost(cell: StepProgress, ending: AttemptResult): void {
  const lost = ending.outcome === 'failed' ? ending.problems[0]?.details?.['lost'] : ending.lost;
  if (lost === undefined || lostWorkers(lost) !== null) return;
  cell.lost = [...(cell.lost ?? []), ...(lost as readonly LostWorker[])];
}

export interface AttemptHost {
  readonly onFailure?: 'hold' | 'fail';
  /** Limit of all steps' retries together, if the release file sets one. */
  readonly retries: number | undefined;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly unservedQueues: UnservedQueues;
  readonly conflicts: Conflicts;
  readonly cacheLookup: CacheLookup;
  readonly outages: Outages;
  sealed(manifest: Digest): void;
  /** True once the run is being cancelled. No action is answered then, so a held step would never go on. */
  cancelling(): boolean;
  /** Returns why this step must end: the run is cancelled, or a sibling failed. Null if it may go on. */
  cancels(step: number): string | null;
  stopSiblings(failed: number): void;
  abort(step: number): void;
}

/** Decides what follows after an attempt has ended, or if no worker started it. */
export class AttemptResults {
  readonly retryBudget: RetryBudget;

  constructor(
    private readonly graph: RunGraph,
    private readonly around: AttemptHost,
  ) {
    this.retryBudget = new RetryBudget(graph.steps.length, around.retries);
  }

  ended(step: number, attempt: number, ending: AttemptResult): void {
    const cell = this.graph.cells[step];
    if (cell?.state !== 'running' || cell.attempt !== attempt) return;
    this.graph.release(step);
    addLost(cell, ending);
    if (this.beginsAnew(step)) return;
    if (ending.outcome === 'failed') return this.#attemptFailed(step, cell, ending.problems);
    this.#succeeded(step, cell, ending);
  }

  /** Records a cache hit before the step went to its queue. */
  found(step: number, ending: Success): void {
    this.graph.foundKnown(step);
    this.#succeeded(step, this.graph.cells[step]!, ending);
  }

  #succeeded(step: number, cell: StepProgress, ending: Success): void {
    delete cell.problems;
    delete cell.stopping;
    delete cell.gaveUp;
    cell.note = ending.note;
    cell.ms = ending.ms;
    if (cell.failures.includes('product')) cell.flaky = true;
    if (ending.sealed !== undefined) this.around.sealed(ending.sealed);
    this.around.conflicts.settled(step);
    this.around.outages.succeeded(step, ending.outcome === 'cached');
    this.around.cacheLookup.ending(step, ending);
    this.graph.settle(step, ending.outcome);
  }

  /** Restarts a step that was stopped for a rerun. Its own outcome does not count. */
  beginsAnew(step: number): boolean {
    const { rerun } = this.graph.cells[step]!;
    delete this.graph.cells[step]!.rerun;
    if (rerun === undefined || this.around.cancels(step) !== null) return false;
    this.graph.renew([step]);
    return true;
  }

  failed(step: number, problem: Problem): void {
    this.graph.cells[step]!.problems = [problem];
    this.#failed(step, false);
  }

  /** Ends a step because the run is cancelled, or a sibling failed. */
  cancelled(step: number): void {
    this.graph.settle(step, 'cancelled', this.around.cancels(step)!);
    this.around.conflicts.cancelled(step);
  }

  /** Gives up steps whose queue had no worker in time. A scheduled attempt is cancelled first. */
  giveUpThoseDue(): void {
    for (const step of this.around.unservedQueues.over(this.graph.nowMs)) {
      const cell = this.graph.cells[step]!;
      cell.gaveUp = true;
      if (cell.state !== 'running') this.#nobodyCame(step);
      else if (this.around.cancels(step) === null) this.around.abort(step);
    }
  }

  #attemptFailed(step: number, cell: StepProgress, problems: readonly Problem[]): void {
    const found = classOf(problems);
    cell.problems = this.retryBudget.lost(problems);
    cell.ms = this.graph.nowMs - cell.startedAtMs!;
    const { gaveUp, stopping } = cell;
    delete cell.gaveUp;
    delete cell.stopping;
    const cancelled = this.around.cancels(step);
    if (found === 'cancelled' && cancelled !== null) return this.cancelled(step);
    if (found === 'cancelled' && gaveUp) return this.#nobodyCame(step);
    if (stopping !== undefined && this.#endsQuietly(step, found)) return void this.#giveUp(step, stopping);
    // Slipway did not cancel it, so its worker was shut down.
    const last = found === 'cancelled' ? 'lost' : found;
    const move = this.#move(step, cell, problems, last);
    const isOfService = last === 'infra' && cancelled === null;
    if (isOfService && this.around.outages.takes(step, problems, move.do === 'end')) return;
    if (move.do === 'end' || cancelled !== null || this.around.conflicts.stops(step))
      return this.#failed(step, last === 'conflict');
    const usedUp = isNotItsOwn(problems) ? null : this.retryBudget.take();
    if (usedUp === null) return this.graph.backOff(step, move.inMs, move.because, move.togetherMs);
    this.#failed(step, false, usedUp);
  }

  #move(step: number, cell: StepProgress, problems: readonly Problem[], last: FailureClass): NextMove {
    const random = this.around.random();
    if (isRefusal(problems)) return afterRefusal((cell.refusals = (cell.refusals ?? 0) + 1), random);
    if (isRunnerLost(problems)) return afterRunnerLost((cell.runnersLost = (cell.runnersLost ?? 0) + 1), random);
    cell.failures.push(last);
    return next(this.graph.steps[step]!.retry, cell.failures, random);
  }

  /** Whether an attempt that a person stopped ends with a failure that would be retried. */
  #endsQuietly(step: number, found: FailureClass): boolean {
    return ENDS_QUIETLY.includes(found) || (found === 'product' && this.graph.steps[step]!.retry.product !== undefined);
  }

  #failed(step: number, conflict: boolean, because?: string): void {
    const ended = this.#giveUp(step, because);
    if (!conflict) return;
    if (ended === 'held') this.around.conflicts.held(step);
    if (ended === 'failed') this.around.conflicts.failed(step);
  }

  /** Holds a step that is not retried any more, fails it, or leaves it out if its failure is tolerated. */
  #giveUp(step: number, because?: string): 'held' | 'failed' | 'tolerated' {
    const { tolerate, onFailure } = this.graph.steps[step]!;
    if (tolerate !== undefined) {
      this.graph.cells[step]!.tolerated = true;
      this.graph.settle(step, 'skipped', tolerate);
      return 'tolerated';
    }
    if (onFailure === undefined && this.#holds()) {
      this.graph.hold(step, because);
      return 'held';
    }
    this.graph.settle(step, 'failed', because);
    if (this.around.cancelling()) this.around.conflicts.cancelled(step);
    else if (onFailure !== undefined) this.graph.cells[step]!.failedAtMs = this.graph.nowMs;
    if (onFailure === 'stop') this.around.stopSiblings(step);
    return 'failed';
  }

  #nobodyCame(step: number): void {
    const { id, on, waitMs } = this.graph.steps[step]!;
    this.failed(step, nobodyCame(id, on, waitMs ?? 0, whoCould(on)));
  }

  #holds(): boolean {
    return this.around.onFailure === 'hold' && !this.around.cancelling();
  }
}
