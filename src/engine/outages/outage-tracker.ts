import type { Problem } from '../../model/failure.js';
import type { Outage, Service } from '../../model/outage.js';
import type { RunGraph } from '../run/run-graph.js';
import { needsOf, type Breaker } from './breaker.js';

export interface OutageHost {
  /** Uniform in [0, 1). */
  readonly random: () => number;
  isServed(step: number): boolean;
  /** Whether another policy keeps a step from starting. */
  stops(step: number): boolean;
  fail(step: number, problem: Problem): void;
}

export interface Failed {
  readonly step: number;
  readonly atMs: number;
}

/** State of a run's services, as plain data. */
export interface OutageState {
  /** Failed attempts by service, since the service last answered. */
  readonly failing: Record<Service, Failed[]>;
  readonly open: Record<Service, Breaker>;
  past: Outage[];
  /** True while the run is cancelled. Clean-up steps then retry instead of waiting. */
  off: boolean;
}

const PAST_KEPT = 20;

/** Tracks which services are down, and which steps wait for them. */
export class OutageTracker {
  constructor(
    private readonly graph: RunGraph,
    private readonly known: OutageState,
  ) {}

  /** Returns the outages for the status: open ones, then ended ones. */
  told(): readonly Outage[] {
    const open = Object.entries(this.known.open).map(([service, breaker]) => this.#told(service, breaker));
    return [
      ...open.filter(({ until }) => until === undefined),
      ...this.known.past,
      ...open.filter(({ until }) => until),
    ];
  }

  remember(service: Service, breaker: Breaker): void {
    const { nextTryAt: _, trying: __, ...outage } = this.#told(service, { ...breaker, probe: null });
    const until = breaker.trustedMs ?? this.graph.nowMs;
    this.known.past = [...this.known.past, { ...outage, until, steps: breaker.most }].slice(-PAST_KEPT);
  }

  #told(service: Service, breaker: Breaker): Outage {
    const { sinceMs, trustedMs, probe, probeAtMs, nextTryAtMs, most, message, next } = breaker;
    const steps = trustedMs === null ? this.count(service, breaker) : most;
    const trying = probe !== null && probeAtMs !== null ? { trying: this.graph.steps[probe]!.id } : {};
    const tries = probe === null ? { nextTryAt: nextTryAtMs } : trying;
    return { service, since: sinceMs, ...(trustedMs === null ? tries : { until: trustedMs }), steps, message, next };
  }

  /** Fast path: without an open outage no step is scanned. Called at every input. */
  isAny(): boolean {
    return Object.keys(this.known.open).length > 0;
  }

  all(): readonly (readonly [Service, Breaker])[] {
    return Object.entries(this.known.open).filter(([, { trustedMs }]) => trustedMs === null);
  }

  of(step: number): readonly Service[] {
    const down = this.all();
    if (down.length === 0) return [];
    const needs = needsOf(this.graph.steps[step]!, this.graph.cells[step]!);
    return down.flatMap(([service]) => (needs.includes(service) ? [service] : []));
  }

  /** Returns the steps that the service alone keeps from starting. */
  waiters(service: Service): readonly number[] {
    return this.#ready().filter((step) => needsOf(this.graph.steps[step]!, this.graph.cells[step]!).includes(service));
  }

  /** Returns how many steps wait for a service, including the probe. */
  count(service: Service, { probe, probeAtMs }: Breaker): number {
    return this.waiters(service).length + Number(probe !== null && probeAtMs !== null);
  }

  parked(): readonly number[] {
    if (!this.isAny()) return [];
    return this.#ready().filter((step) => this.graph.cells[step]!.awaitsMs !== undefined);
  }

  #ready(): readonly number[] {
    return this.graph.cells.flatMap(({ state, open }, step) => (state === 'waiting' && open === 0 ? [step] : []));
  }
}
