import type { Problem } from '../../model/failure.js';
import type { Outage, Service } from '../../model/outage.js';
import type { RunGraph } from '../run/run-graph.js';
import { needsOf, type Breaker } from './breaker.js';
import type { StepProgress } from '../run/step-progress.js';

export interface OutageHost {
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Somebody serves its queue. */
  isServed(step: number): boolean;
  /** Something else keeps it from starting. */
  stops(step: number): boolean;
  /** Failed for good. */
  fail(step: number, problem: Problem): void;
}

export interface Failed {
  readonly step: number;
  readonly atMs: number;
}

/** What a run knows of its services: plain data. */
export interface OutageState {
  /** Attempts that failed for a service since it last did its part. */
  readonly failing: Record<Service, Failed[]>;
  /** Services that do not answer. */
  readonly open: Record<Service, Breaker>;
  /** Those that did not, and do again. */
  past: Outage[];
  /** The run is being cancelled: what tidies up must not wait, and has its budget. */
  off: boolean;
}

const PAST_KEPT = 20;

/** Which services do not answer, and who waits for them. */
export class OutageTracker {
  constructor(
    private readonly graph: RunGraph,
    private readonly known: OutageState,
  ) {}

  /** What people are told: services that do not answer, then those that did not. */
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

  /** Asked at every input, and mostly there is none: then nobody is looked for among 10,000 steps. */
  isAny(): boolean {
    return Object.keys(this.known.open).length > 0;
  }

  /** Services that do not answer now. */
  all(): readonly (readonly [Service, Breaker])[] {
    return Object.entries(this.known.open).filter(([, { trustedMs }]) => trustedMs === null);
  }

  /** Those of them that a step needs. */
  of(step: number): readonly Service[] {
    const away = this.all();
    if (away.length === 0) return [];
    const needs = needsOf(this.graph.steps[step]!, this.#cell(step));
    return away.flatMap(([service]) => (needs.includes(service) ? [service] : []));
  }

  /** Steps that could go on if the service answered. */
  waiters(service: Service): readonly number[] {
    return this.#ready().filter((step) => needsOf(this.graph.steps[step]!, this.#cell(step)).includes(service));
  }

  /** How many wait for it, with the one that is let through to see. */
  count(service: Service, { probe, probeAtMs }: Breaker): number {
    return this.waiters(service).length + Number(probe !== null && probeAtMs !== null);
  }

  /** Steps that stand in no line. */
  parked(): readonly number[] {
    if (!this.isAny()) return [];
    return this.#ready().filter((step) => this.#cell(step).awaitsMs !== undefined);
  }

  #ready(): readonly number[] {
    return this.graph.cells.flatMap(({ state, open }, step) => (state === 'waiting' && open === 0 ? [step] : []));
  }

  #cell(step: number): StepProgress {
    return this.graph.cells[step]!;
  }
}
