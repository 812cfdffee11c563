import { OUTAGE_LIMIT_MS, type Service } from '../../model/outage.js';
import type { OutageTracker, OutageState, OutageHost } from './outage-tracker.js';
import type { RunGraph } from '../run/run-graph.js';
import { outageTooLong } from '../run/errors.js';

/** Limit of a step's wait if its service has answered another step since it failed: the fault may be the step's. */
const ALONE_LIMIT_MS = 2 * 3_600_000;
/** Waiting steps resume in this many groups, a second apart. */
const MOST_GROUPS = 10;
export const GROUP_MS = 1000;

/** Steps that wait for a service: start of the wait, its limit, and how they resume. */
export class DeferredSteps {
  constructor(
    private readonly graph: RunGraph,
    private readonly state: OutageState,
    private readonly tracker: OutageTracker,
    private readonly around: Pick<OutageHost, 'random' | 'fail'>,
  ) {}

  /** Makes a step wait for its service, outside the queue. */
  park(step: number): void {
    const down = this.tracker.of(step);
    const cell = this.graph.cells[step]!;
    this.graph.setAside(step, `${down.join(' and ')} ${down.length === 1 ? 'does' : 'do'} not answer`);
    cell.awaitsMs ??= this.graph.nowMs;
  }

  /** Resumes steps in groups, to spare a service that has just recovered. */
  letGo(service: Service): void {
    const parked = this.tracker.waiters(service).filter((step) => this.graph.cells[step]!.awaitsMs !== undefined);
    const free = parked.filter((step) => this.tracker.of(step).length === 0);
    const groups = Math.min(MOST_GROUPS, free.length);
    for (const step of free) {
      delete this.graph.cells[step]!.awaitsMs;
      const group = Math.floor(this.around.random() * groups);
      this.graph.backOff(step, group * GROUP_MS, `${service} answers again`);
    }
  }

  /** Fails a step whose wait exceeds its limit. */
  giveUp(step: number): void {
    const [service] = this.tracker.of(step);
    const { id } = this.graph.steps[step]!;
    delete this.graph.cells[step]!.awaitsMs;
    if (service === undefined) return this.graph.requeue(step);
    const { sinceMs, message } = this.state.open[service]!;
    this.around.fail(step, outageTooLong(id, service, sinceMs, message));
  }

  untilMs(step: number): number {
    const { awaitsMs, alone = [] } = this.graph.cells[step]!;
    const limitMs = this.graph.steps[step]!.retry.outageMs ?? OUTAGE_LIMIT_MS;
    const isAlone = this.tracker.of(step).every((service) => alone.includes(service));
    return awaitsMs! + (isAlone ? Math.min(limitMs, ALONE_LIMIT_MS) : limitMs);
  }

  /** Records that the service answers other steps but not this one. */
  isAlone(step: number, service: Service): void {
    const cell = this.graph.cells[step]!;
    cell.alone = [...new Set([...(cell.alone ?? []), service])];
  }
}
