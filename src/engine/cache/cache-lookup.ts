import { KINDS } from '../../model/kinds.js';
import type { Skeleton } from '../../model/plan.js';
import { isAnew, WALK } from '../../model/reuse.js';
import type { RunGraph } from '../run/run-graph.js';
import { isOpen } from '../run/step-progress.js';
import type { Command, Input, Success } from '../run/inputs.js';
import { packedNumbers, unpackedNumbers } from '../handover/packed.js';

/** What a run knows of walks over known work: plain data. */
export interface CacheLookupState {
  /** Walks begun so far. */
  walks: number;
  /** Round in which the walk began that is under way; null: none is. */
  round: number | null;
  /** Steps that could begin, and wait for a walk. */
  parked: number[];
  /** Walks in a row that came to nothing. */
  failures: number;
}

/** Then each step looks for itself, for as long as the run lasts. */
const MOST_FAILURES = 2;

/** What known work asks of the run around it. */
export interface CacheLookupHost {
  /** A step is done by a result that was there. */
  found(step: number, ending: Success): void;
}

/** Known work in bulk: a step that stands only on what was as before is probably known itself. It waits for one walk, which ends all
 * that is known from there on; what is not known is started then. A step that uses something new starts at once. */
export class CacheLookup {
  readonly state: CacheLookupState = { walks: 0, round: null, parked: [], failures: 0 };

  constructor(
    private readonly graph: RunGraph,
    private readonly skeleton: Pick<Skeleton, 'reuse' | 'noCache'>,
    private readonly around: CacheLookupHost,
  ) {
    // Before it stands in line: a queue may be full, or served by nobody.
    graph.sideline = (step) => !this.mayStart(step);
  }

  get underWay(): boolean {
    return this.state.round !== null;
  }

  /** Asked when a step's turn comes: one that may be known stands in line again when a walk has looked. */
  mayStart(step: number): boolean {
    if (!this.#isHopeful(step)) return true;
    this.state.parked.push(step);
    return false;
  }

  /** Asked when all that may start has been started. */
  walk(): readonly Command[] {
    const { state } = this;
    if (this.underWay || state.parked.length === 0) return [];
    const { noCache } = this.skeleton;
    const { round, cells } = this.graph;
    // In a run that was paused some may have been left out, or begun anew: a result of theirs must not come to stand in the run.
    const stillWaits = (step: number): boolean => cells[step]!.state === 'waiting' && cells[step]!.open === 0;
    state.parked = [...new Set(state.parked)].filter(stillWaits).sort((a, b) => a - b);
    if (state.parked.length === 0) return [];
    state.round = round;
    const ended = [...cells.keys()].filter((step) => !isOpen(cells[step]!));
    return [
      {
        ...{ do: 'reuse', step: WALK, attempt: ++state.walks },
        ...{ from: packedNumbers(state.parked), ended: packedNumbers(ended) },
        ...(noCache !== undefined && noCache !== 'all' && { except: packedNumbers(noCache) }),
        ...(round > 1 && { round }),
      },
    ];
  }

  /** Steps end in their order; one that ended otherwise meanwhile, or began anew, is not touched. */
  walked({ attempt, found, unknown }: Extract<Input, { what: 'known' }>): void {
    if (!this.#isIt(attempt)) return;
    const since = this.state.round!;
    const missed = unpackedNumbers(unknown);
    const waits = (step: number): boolean => {
      const cell = this.graph.cells[step];
      return cell?.state === 'waiting' && cell.startedAtMs === undefined && (cell.round ?? 1) <= since;
    };
    for (const [step, ms, note] of found)
      if (waits(step) && this.graph.cells[step]!.open === 0) this.around.found(step, { outcome: 'cached', ms, note });
    for (const step of missed) if (waits(step)) this.graph.cells[step]!.looked = true;
    this.#over(found.length + missed.length > 0);
  }

  /** The walk came to nothing: who waits for it looks for itself. */
  failed(attempt: number): void {
    if (this.#isIt(attempt)) this.#over(false);
  }

  /** Whether the walk that is under way may still end a step. */
  reach(): (step: number) => boolean {
    const parked = new Set(this.state.parked);
    const { cells } = this.graph;
    return (step) =>
      this.underWay && step >= 0 && this.#mayBeKnown(step) && (cells[step]!.open > 0 || parked.has(step));
  }

  /** A step is about to be told as ended: what uses something new is hardly known. Proofs are no bytes. */
  ending(step: number, { outcome }: Success): void {
    if (!this.#looks) return;
    const { cells, steps } = this.graph;
    if (outcome === 'cached') return this.#asBefore(cells[step]!.anew);
    if (steps[step]!.stage === 'prove') return;
    for (const other of this.graph.usersOf(step)) if (cells[other]!.state === 'waiting') cells[other]!.anew = step;
  }

  /** What stands on it was known: then it came out as before, whoever else uses it. */
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
    return KINDS[this.graph.steps[step]!.kind].cache === 'pure' && !isAnew(this.skeleton, step);
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
