import { SlipwayFailure } from '../../model/failure.js';
import type { Plan, Step } from '../../model/plan.js';
import type { Found, ReuseInput, Reused } from '../../model/reuse.js';
import type { StepContext } from '../step/ports.js';
import { roundsUpTo } from '../step/rounds.js';
import { StepCache } from './step-cache.js';
import { LimitedTasks } from './limited-tasks.js';
import { EDGE_KINDS } from '../../engine/run/edges.js';
import { cacheOf } from '../../model/kinds.js';
import { topological } from '../../plan/skeleton.js';

/** Longest lookup in one activity; the next one continues from there. */
const LONGEST_MS = 3000;
/** Longest lookup once a step must run, so that the step does not wait. */
const WITH_WORK_MS = 250;
/** Largest answer, since the history keeps it. */
const MOST_CHARACTERS = 200_000;
const LOOKED_UP_AT_ONCE = 32;
const WRITTEN_AT_ONCE = 32;

/** Looks up results along the graph, from the given steps on, while every key is known. Each result is recorded as if
 * the step had found it itself. It writes nothing for other steps, and moves nothing to quarantine. */
export async function lookUpCached(
  plan: Plan,
  input: ReuseInput,
  around: StepContext,
  signal: AbortSignal,
): Promise<Reused> {
  const rounds = await roundsUpTo(around.store, input);
  const knowledge = new StepCache(plan, rounds, around);
  return new Lookup(graphOf(plan), input, knowledge, () => Math.round(around.ticks()), signal).go();
}

class Lookup {
  readonly #found: Found[] = [];
  readonly #unknown: number[] = [];
  readonly #lookUps = new LimitedTasks(LOOKED_UP_AT_ONCE);
  readonly #writes = new LimitedTasks(WRITTEN_AT_ONCE);
  /** Steps that had ended before the lookup began. */
  readonly #ended: ReadonlySet<number>;
  readonly #edges = new Map<number, number>();
  readonly #except: ReadonlySet<number>;
  readonly #startedMs: number;
  #characters = 0;

  constructor(
    private readonly graph: Graph,
    private readonly input: ReuseInput,
    private readonly knowledge: StepCache,
    /** Milliseconds of a monotonic clock. */
    private readonly now: () => number,
    private readonly signal: AbortSignal,
  ) {
    this.#ended = new Set(input.ended);
    this.#except = new Set(input.except);
    this.#startedMs = now();
  }

  async go(): Promise<Reused> {
    for (const step of this.input.from) this.#reach(step);
    await this.#lookUps.done();
    await this.#writes.done();
    await this.knowledge.kept();
    return { found: this.#found, unknown: this.#unknown.sort((a, b) => a - b) };
  }

  #reach(number: number): void {
    const step = this.graph.steps[number]!;
    if (canBeKnown(step)) this.#lookUps.add(() => this.#lookUp(number, step));
  }

  async #lookUp(number: number, step: Step): Promise<void> {
    if (this.#over) return;
    const beganMs = this.now();
    const known = this.#except.has(number) ? null : await this.knowledge.of(step).catch(leftToTheStep);
    if (known === null) return void this.#unknown.push(number);
    if (!known.isRecorded) this.#writes.add(() => this.knowledge.keep(step, known));
    const found: Found = [number, this.now() - beganMs, known.result.note];
    this.#found.push(found);
    this.#characters += JSON.stringify(found).length;
    for (const next of this.graph.behind[number]!) if (this.#opensTo(next)) this.#reach(next);
  }

  /** True at the last open edge of a step: it is called once for each found step before it. Ended steps are left out,
   * since a result would reach all that want them. */
  #opensTo(next: number): boolean {
    if (this.#ended.has(next)) return false;
    const edges = this.#edges.get(next) ?? this.graph.before[next]!.filter((on) => !this.#ended.has(on)).length;
    this.#edges.set(next, edges - 1);
    return edges === 1;
  }

  get #over(): boolean {
    const lastedMs = this.now() - this.#startedMs;
    const limitMs = this.#unknown.length > 0 ? WITH_WORK_MS : LONGEST_MS;
    return lastedMs >= limitMs || this.#characters >= MOST_CHARACTERS || this.signal.aborted;
  }
}

/** Leaves damaged records and bad inputs to the step itself. If the store does not answer, the lookup fails. */
function leftToTheStep(error: unknown): null {
  if (error instanceof SlipwayFailure && (error.first.code === 'RECORD_DAMAGED' || error.first.class !== 'infra'))
    return null;
  throw error;
}

interface Graph {
  readonly steps: readonly Step[];
  /** Steps that wait for a step, by any edge. */
  readonly behind: readonly (readonly number[])[];
  /** Steps that each step waits for. */
  readonly before: readonly (readonly number[])[];
}

const graphs = new WeakMap<Plan, Graph>();

function graphOf(plan: Plan): Graph {
  const known = graphs.get(plan);
  if (known) return known;
  const steps = topological(plan.steps);
  const numbers = new Map(steps.map(({ id }, number) => [id, number]));
  const before = steps.map((step) => EDGE_KINDS.flatMap((edge) => step[edge].map((id) => numbers.get(id)!)));
  const behind = steps.map((): number[] => []);
  before.forEach((list, step) => list.forEach((on) => behind[on]!.push(step)));
  const graph = { steps, behind, before };
  graphs.set(plan, graph);
  return graph;
}

/** True if its result can be found by its step key. */
const canBeKnown = (step: Step): boolean => cacheOf(step) === 'pure';
