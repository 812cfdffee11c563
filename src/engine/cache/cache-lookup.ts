import { cacheOf } from '../../model/kinds.js';
import type { Skeleton } from '../../model/plan.js';
import { isAnew, CACHE_LOOKUP } from '../../model/reuse.js';
import type { RunGraph } from '../run/run-graph.js';
import { isOpen } from '../run/step-progress.js';
import type { Command, Input, Success } from '../run/inputs.js';

/** State of cache lookups, as plain data. */
export interface CacheLookupState {
  walks: number;
  /** Round in which the running lookup began. Null if none runs. */
  round: number | null;
  /** Ready steps that wait for a lookup. */
  parked: number[];
  failures: number;
}

/** After so many failed lookups each step does its own lookup for the rest of the run. */
const MOST_FAILURES = 2;

export interface CacheLookupHost {
  found(step: number, ending: Success): void;
}

/** Looks up cached results in bulk. A step whose inputs are all cached is probably cached too. It waits for a lookup,
 * which ends all cached steps behind it. Steps that miss start then. A step with a new input starts at once. */
export class CacheLookup {
  readonly state: CacheLookupState = { walks: 0, round: null, parked: [], failures: 0 };

  constructor(
    private readonly graph: RunGraph,
    private readonly skeleton: Pick<Skeleton, 'reuse' | 'noCache'>,
    private readonly around: CacheLookupHost,
  ) {
    // Before it is queued: its task queue may be full, or have no worker.
    graph.sideline = (step) => !this.mayStart(step);
  }

  get underWay(): boolean {
    return this.state.round !== null;
  }

  /** Returns whether a ready step may start. A step that may be cached is queued again after the lookup. */
  mayStart(step: number): boolean {
    if (!this.#isHopeful(step)) return true;
    this.state.parked.push(step);
    return false;
  }

  /** Returns the command for the next lookup. Called once all steps that may start have started. */
  begin(): readonly Command[] {
    const { state } = this;
    if (this.underWay || state.parked.length === 0) return [];
    const { noCache } = this.skeleton;
    const { round, cells } = this.graph;
    // An operator may have skipped or reset steps during a pause. Their cached results must not enter the run.
    const stillWaits = (step: number): boolean => cells[step]!.state === 'waiting' && cells[step]!.open === 0;
    state.parked = [...new Set(state.parked)].filter(stillWaits).sort((a, b) => a - b);
    if (state.parked.length === 0) return [];
    state.round = round;
    const ended = [...cells.keys()].filter((step) => !isOpen(cells[step]!));
    return [
      {
        ...{ do: 'look up', step: CACHE_LOOKUP, attempt: ++state.walks },
        ...{ from: [...state.parked], ended },
        ...(noCache !== undefined && noCache !== 'all' && { except: noCache }),
        ...(round > 1 && { round }),
      },
    ];
  }

  /** Ends cached steps in order. A step that ended otherwise meanwhile, or was reset, stays as it is. */
  answered({ attempt, found, unknown }: Extract<Input, { what: 'known' }>): void {
    if (!this.#isIt(attempt)) return;
    const since = this.state.round!;
    const waits = (step: number): boolean => {
      const cell = this.graph.cells[step];
      return cell?.state === 'waiting' && cell.startedAtMs === undefined && (cell.round ?? 1) <= since;
    };
    for (const [step, ms, note] of found)
      if (waits(step) && this.graph.cells[step]!.open === 0) this.around.found(step, { outcome: 'cached', ms, note });
    for (const step of unknown) if (waits(step)) this.graph.cells[step]!.looked = true;
    this.#over(found.length + unknown.length > 0);
  }

  /** Handles a failed lookup. The steps that wait for it do their own lookup. */
  failed(attempt: number): void {
    if (this.#isIt(attempt)) this.#over(false);
  }

  /** Returns whether the running lookup may still end a step. */
  reach(): (step: number) => boolean {
    const parked = new Set(this.state.parked);
    const { cells } = this.graph;
    return (step) =>
      this.underWay && step >= 0 && this.#mayBeKnown(step) && (cells[step]!.open > 0 || parked.has(step));
  }

  /** Marks the dependents of an executed step: they are unlikely to be cached. Proofs make no bytes and mark nothing. */
  ending(step: number, { outcome }: Success): void {
    if (!this.#looks) return;
    const { cells, steps } = this.graph;
    if (outcome === 'cached') return this.#asBefore(cells[step]!.anew);
    if (steps[step]!.stage === 'prove') return;
    for (const other of this.graph.usersOf(step)) if (cells[other]!.state === 'waiting') cells[other]!.anew = step;
  }

  /** Unmarks a step after one of its dependents was cached, which shows that its output is unchanged. */
  #asBefore(anew: number | undefined): void {
    if (anew === undefined) return;
    for (const cell of this.graph.cells) if (cell.anew === anew) delete cell.anew;
  }

  get #looks(): boolean {
    return this.skeleton.reuse === true && this.skeleton.noCache !== 'all' && this.state.failures < MOST_FAILURES;
  }

  #isHopeful(step: number): boolean {
    if (!this.#looks) return false;
    return this.graph.cells[step]!.anew === undefined && this.#mayBeKnown(step);
  }

  #mayBeKnown(step: number): boolean {
    const { state, startedAtMs, looked } = this.graph.cells[step]!;
    if (state !== 'waiting' || startedAtMs !== undefined || looked) return false;
    return cacheOf(this.graph.steps[step]!) === 'pure' && !isAnew(this.skeleton, step);
  }

  #isIt(attempt: number): boolean {
    return this.underWay && attempt === this.state.walks;
  }

  #over(learnt: boolean): void {
    const { state, graph } = this;
    state.round = null;
    state.failures = learnt ? 0 : state.failures + 1;
    for (const step of state.parked.splice(0)) {
      const cell = graph.cells[step]!;
      if (!learnt && cell.state === 'waiting') cell.looked = true;
      graph.requeue(step);
    }
  }
}
