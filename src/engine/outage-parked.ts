import { OUTAGE_LIMIT_MS, type Service } from '../model/outage.js';
import type { Away, OutageState, Surroundings } from './away.js';
import type { Board } from './board.js';
import type { Cell } from './cell.js';
import { outageTooLong } from './errors.js';

/** A step whose service has answered another one since it failed is alone with its trouble, or that is the next outage: it
 * does not wait for a whole day. */
const ALONE_LIMIT_MS = 2 * 3_600_000;
/** Those who waited go on in so many groups, a second apart. */
const MOST_GROUPS = 10;
export const GROUP_MS = 1000;

/** Steps that wait for a service: how they come to wait, for how long, and how they go on. */
export class Parked {
  constructor(
    private readonly board: Board,
    private readonly state: OutageState,
    private readonly away: Away,
    private readonly around: Pick<Surroundings, 'random' | 'fail'>,
  ) {}

  /** It waits, and does not stand in line. */
  park(step: number): void {
    const away = this.away.of(step);
    const cell = this.#cell(step);
    this.board.setAside(step, `${away.join(' and ')} ${away.length === 1 ? 'does' : 'do'} not answer`);
    cell.awaitsMs ??= this.board.nowMs;
  }

  /** Not all at once: it has only just come back. */
  letGo(service: Service): void {
    const parked = this.away.waiters(service).filter((step) => this.#cell(step).awaitsMs !== undefined);
    const free = parked.filter((step) => this.away.of(step).length === 0);
    const groups = Math.min(MOST_GROUPS, free.length);
    for (const step of free) {
      delete this.#cell(step).awaitsMs;
      const group = Math.floor(this.around.random() * groups);
      this.board.backOff(step, group * GROUP_MS, `${service} answers again`);
    }
  }

  /** It waited for as long as it may. */
  giveUp(step: number): void {
    const [service] = this.away.of(step);
    const { id } = this.board.steps[step]!;
    delete this.#cell(step).awaitsMs;
    if (service === undefined) return this.board.requeue(step);
    const { sinceMs, message } = this.state.open[service]!;
    this.around.fail(step, outageTooLong(id, service, sinceMs, message));
  }

  /** Until when it waits. */
  untilMs(step: number): number {
    const { awaitsMs, alone = [] } = this.#cell(step);
    const limitMs = this.board.steps[step]!.retry.outageMs ?? OUTAGE_LIMIT_MS;
    const isAlone = this.away.of(step).every((service) => alone.includes(service));
    return awaitsMs! + (isAlone ? Math.min(limitMs, ALONE_LIMIT_MS) : limitMs);
  }

  /** The service answers others, and not this one. */
  isAlone(step: number, service: Service): void {
    const cell = this.#cell(step);
    cell.alone = [...new Set([...(cell.alone ?? []), service])];
  }

  #cell(step: number): Cell {
    return this.board.cells[step]!;
  }
}
