import type { Problem } from '../../model/failure.js';
import type { StepId } from '../../model/ids.js';
import type { Skeleton } from '../../model/plan.js';
import { grouped } from './group-cells.js';
import type { RunGraph, ResumedSteps } from '../run/run-graph.js';
import { carriedCell, isFresh, together, type CarriedCell, type CarriedCells } from './carried-cell.js';
import { type SchedulerSnapshot, type RunRecord } from './carry.js';
import { isOpen, isUntouched } from '../run/step-progress.js';
import { column } from './columns.js';
import type { PackedSkeleton } from './packed-skeleton.js';
import { AS_TOLD, truncateCells, withProblems } from './truncate-cells.js';
import { packed } from './packed.js';
import { putStates, statesOf, type Policies } from '../run/policies.js';
import { raised } from '../run/engine-versions.js';

/** What another scheduler needs to go on. */
export interface HandoverInput {
  readonly skeleton: PackedSkeleton;
  readonly carried: SchedulerSnapshot;
}

/** A row as it was told, but for what its step failed with: that is told once. */
interface Told {
  readonly text: string;
  readonly problems: readonly Problem[] | undefined;
}

/** Carries what a scheduler knows to another: whole to one that goes on, bit by bit to one that only shows it. */
export class StateTransfer {
  readonly #told = new Map<number, Told>();
  /** Steps that were told to have ended are not looked at again, until a new round may have begun them anew. */
  #untold: readonly number[];
  /** Steps that may change here: what ended before another took over does not. */
  readonly #known: readonly number[];
  #round = 1;

  /** @param resumed what another knew: taken over, and known to whoever is told */
  constructor(
    private readonly skeleton: Skeleton,
    private readonly graph: RunGraph,
    private readonly state: RunRecord,
    private readonly policies: Policies,
    resumed: (SchedulerSnapshot & Pick<ResumedSteps, 'known'>) | null,
  ) {
    this.#untold = this.#known = resumed?.known ?? [...graph.cells.keys()];
    if (resumed === null) return;
    this.#take(resumed);
    this.#changed();
  }

  /** All that is known, for one that goes on with what remains, by the newest rules. Asked when all commands are carried out.
   * @param from a step that is to run again: whoever goes on must know all that it concerns */
  whole(from?: StepId): HandoverInput {
    const { cells } = this.graph;
    const again = this.graph.recalled(from);
    const remains = (step: number): boolean => isOpen(cells[step]!) || again.has(step);
    const known = [...cells.keys()].filter(remains);
    const touched = known.filter((step) => !isUntouched(cells[step]!));
    const rows = touched.map((step) => this.#row(step)).filter((row) => !isFresh(row));
    const around = this.#around();
    const { unserved: _, slots: __, ...skeleton } = this.skeleton;
    return {
      skeleton: packed({ ...skeleton, dropped: [] }, remains),
      carried: {
        ...around,
        run: { ...around.run, engine: raised(around.run.engine) },
        ...grouped(together(truncateCells(rows)), this.state.beganMs),
        weights: column(this.graph.adds(known)),
      },
    };
  }

  /** What changed since it was asked last. */
  changes(): SchedulerSnapshot {
    return { ...this.#around(), cells: this.#changed() };
  }

  /** Takes over what one that carries the run on has told; decides nothing. */
  learn(told: SchedulerSnapshot): void {
    this.#take(told);
    this.graph.learn(told.cells, this.state.beganMs);
  }

  #take({ run, nowMs, policies }: SchedulerSnapshot): void {
    Object.assign(this.state, run);
    this.graph.round = run.round;
    this.graph.nowMs = nowMs;
    putStates(this.policies, policies);
  }

  #changed(): readonly CarriedCells[] {
    if (this.#round !== this.graph.round) this.#untold = this.#known;
    this.#round = this.graph.round;
    const touched = this.#untold.filter((step) => this.#told.has(step) || !isUntouched(this.graph.cells[step]!));
    const rows = touched.flatMap((step) => this.#news(step));
    this.#untold = this.#untold.filter((step) => isOpen(this.graph.cells[step]!));
    return together(rows);
  }

  /** The row of a step, if it is other than it was told. */
  #news(step: number): readonly CarriedCell[] {
    const row = this.#row(step);
    const { problems } = this.graph.cells[step]!;
    const told = this.#told.get(step);
    const brief = problems === undefined ? row : withProblems(row, AS_TOLD);
    const text = isFresh(row) ? undefined : JSON.stringify(brief);
    const knowsProblems = told?.problems === problems;
    if (told?.text === text && knowsProblems) return [];
    if (text === undefined) this.#told.delete(step);
    else this.#told.set(step, { text, problems });
    return [knowsProblems ? brief : row];
  }

  #row(step: number): CarriedCell {
    return carriedCell(step, this.graph.cells[step]!, this.state.beganMs);
  }

  #around(): Omit<SchedulerSnapshot, 'cells'> {
    const run = { ...this.state, round: this.graph.round };
    return { run, nowMs: this.graph.nowMs, policies: statesOf(this.policies) };
  }
}
