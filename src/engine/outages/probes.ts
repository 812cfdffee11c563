import type { Service } from '../../model/outage.js';
import type { OutageTracker, OutageState, OutageHost } from './outage-tracker.js';
import type { RunGraph } from '../run/run-graph.js';
import { tryInMs, type Breaker } from './breaker.js';

/** The one step per service that is let through to see whether it answers again. */
export class Probes {
  constructor(
    private readonly graph: RunGraph,
    private readonly state: OutageState,
    private readonly away: OutageTracker,
    private readonly around: Pick<OutageHost, 'random' | 'isServed' | 'stops'>,
  ) {}

  /** The next try, after so long. */
  again(breaker: Breaker, inMs: number): void {
    breaker.probe = null;
    breaker.probeAtMs = null;
    breaker.nextTryAtMs = this.graph.nowMs + inMs;
  }

  /** One that ended in another way than by its service, or that something else keeps from starting. */
  lookAt(breaker: Breaker): void {
    if (breaker.probe === null) return;
    const { state, open } = this.graph.cells[breaker.probe]!;
    const began = breaker.probeAtMs !== null;
    if (began ? state === 'running' : state === 'waiting' && open === 0 && !this.around.stops(breaker.probe)) return;
    this.again(breaker, began ? tryInMs(breaker.tries, this.around.random()) : 0);
  }

  /** Who has been let through least; one that lacks nothing else, on a queue that is served, before others. */
  choose(service: Service): void {
    const breaker = this.state.open[service]!;
    const [best] = this.away
      .waiters(service)
      .filter((step) => !this.around.stops(step))
      .map((step) => ({ step, away: this.away.of(step) }))
      .filter(({ away }) => away.every((other) => this.state.open[other]!.probe === null))
      .map(({ step, away }) => ({ step, away, rank: this.#rank(breaker, step, away.length) }))
      .sort((a, b) => compare(a.rank, b.rank));
    if (best === undefined) return;
    this.#let(best.step, best.away);
    this.graph.requeue(best.step);
  }

  /** A due try found no waiting step. The first step whose turn comes makes it, else no timer would bring the next look. */
  takeDue(step: number, away: readonly Service[]): void {
    const breakers = away.map((service) => this.state.open[service]!);
    const isFree = breakers.every(({ probe }) => probe === null);
    if (isFree && breakers.some(({ nextTryAtMs }) => nextTryAtMs <= this.graph.nowMs)) this.#let(step, away);
  }

  #let(step: number, away: readonly Service[]): void {
    for (const service of away) {
      const { tried } = Object.assign(this.state.open[service]!, { probe: step, probeAtMs: null, wanted: null });
      tried[step] = (tried[step] ?? 0) + 1;
    }
  }

  #rank({ wanted, tried }: Breaker, step: number, away: number): readonly number[] {
    const { limitMs } = this.graph.steps[step]!;
    return [Number(wanted !== step), away, Number(!this.around.isServed(step)), tried[step] ?? 0, limitMs, step];
  }

  /** A person wants what waits to be tried at once. @param step null: all */
  tryNow(step: number | null): readonly Service[] {
    if (step !== null && step < 0) return [];
    const services = step === null ? this.away.all().map(([service]) => service) : this.away.of(step);
    const asked = services.filter((service) => this.away.waiters(service).length > 0);
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
