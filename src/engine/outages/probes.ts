import type { Service } from '../../model/outage.js';
import type { OutageTracker, OutageState, OutageHost } from './outage-tracker.js';
import type { RunGraph } from '../run/run-graph.js';
import { tryInMs, type Breaker } from './breaker.js';

/** Selects the one step per service that probes it. */
export class Probes {
  constructor(
    private readonly graph: RunGraph,
    private readonly state: OutageState,
    private readonly tracker: OutageTracker,
    private readonly around: Pick<OutageHost, 'random' | 'isServed' | 'stops'>,
  ) {}

  /** Schedules the next probe after this time. */
  again(breaker: Breaker, inMs: number): void {
    breaker.probe = null;
    breaker.probeAtMs = null;
    breaker.nextTryAtMs = this.graph.nowMs + inMs;
  }

  /** Drops a probe that ended for a reason other than its service, or that another policy keeps from starting. */
  lookAt(breaker: Breaker): void {
    if (breaker.probe === null) return;
    const { state, open } = this.graph.cells[breaker.probe]!;
    const began = breaker.probeAtMs !== null;
    if (began ? state === 'running' : state === 'waiting' && open === 0 && !this.around.stops(breaker.probe)) return;
    this.again(breaker, began ? tryInMs(breaker.tries, this.around.random()) : 0);
  }

  /** Returns the step with the fewest probes. A step that lacks nothing else, on a served queue, comes first. */
  choose(service: Service): void {
    const breaker = this.state.open[service]!;
    const [best] = this.tracker
      .waiters(service)
      .filter((step) => !this.around.stops(step))
      .map((step) => ({ step, down: this.tracker.of(step) }))
      .filter(({ down }) => down.every((other) => this.state.open[other]!.probe === null))
      .map(({ step, down }) => ({ step, down, rank: this.#rank(breaker, step, down.length) }))
      .sort((a, b) => compare(a.rank, b.rank));
    if (best === undefined) return;
    this.#let(best.step, best.down);
    this.graph.requeue(best.step);
  }

  /** Makes the next ready step the probe if a due probe found no waiting step, because no timer would retry it. */
  takeDue(step: number, down: readonly Service[]): void {
    const breakers = down.map((service) => this.state.open[service]!);
    const isFree = breakers.every(({ probe }) => probe === null);
    if (isFree && breakers.some(({ nextTryAtMs }) => nextTryAtMs <= this.graph.nowMs)) this.#let(step, down);
  }

  #let(step: number, down: readonly Service[]): void {
    for (const service of down) {
      const { tried } = Object.assign(this.state.open[service]!, { probe: step, probeAtMs: null, wanted: null });
      tried[step] = (tried[step] ?? 0) + 1;
    }
  }

  #rank({ wanted, tried }: Breaker, step: number, down: number): readonly number[] {
    const { limitMs } = this.graph.steps[step]!;
    return [Number(wanted !== step), down, Number(!this.around.isServed(step)), tried[step] ?? 0, limitMs, step];
  }

  /** Probes at once on an operator's request.
   * @param step null for all services */
  tryNow(step: number | null): readonly Service[] {
    if (step !== null && step < 0) return [];
    const services = step === null ? this.tracker.all().map(([service]) => service) : this.tracker.of(step);
    const asked = services.filter((service) => this.tracker.waiters(service).length > 0);
    for (const service of asked) {
      const breaker = this.state.open[service]!;
      breaker.wanted = step;
      if (breaker.probe === null) breaker.nextTryAtMs = this.graph.nowMs;
    }
    return asked;
  }
}

const compare = (a: readonly number[], b: readonly number[]): number => {
  const at = a.findIndex((one, index) => one !== b[index]);
  return at < 0 ? 0 : a[at]! - b[at]!;
};
