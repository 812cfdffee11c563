import type { Input } from '../../src/engine/run/inputs.js';
import { Scheduler } from '../../src/engine/run/scheduler.js';
import type { Skeleton } from '../../src/model/plan.js';
import { aProblem } from './a-skeleton.js';

/** How long each attempt takes. */
export const LASTS_MS = 1000;

/** A clock that somebody turns while true time goes on. */
export class TurnedClock {
  trueMs = 0;
  turnedMs = 0;
  readonly scheduler: Scheduler;
  readonly running = new Map<number, number>();
  readonly aborted: number[] = [];
  wakeInMs: number | null = null;
  #no = 0;

  constructor(skeleton: Skeleton) {
    this.scheduler = new Scheduler(skeleton, { nowMs: this.clockMs, random: () => 0.5, onFailure: 'hold' });
    this.carryOut();
  }

  get clockMs(): number {
    return 1_700_000_000_000 + this.trueMs + this.turnedMs;
  }

  say(input: Input): void {
    this.scheduler.apply({ ...input, no: ++this.#no });
    this.carryOut();
  }

  carryOut(): void {
    for (const command of this.scheduler.next()) {
      if (command.do === 'wakeAt') this.wakeInMs = command.inMs;
      if (command.do === 'abort') this.aborted.push(command.step);
      if (command.do !== 'start') continue;
      expect(this.running.has(command.step)).toBe(false); // nothing is begun twice
      this.running.set(command.step, command.attempt);
    }
  }

  /** What happens next: an attempt ends, else the timer. */
  happen(problem: boolean): void {
    const [next] = this.running;
    if (next === undefined) {
      this.trueMs += this.wakeInMs!;
      this.wakeInMs = null;
      return this.say({ what: 'wake', atMs: this.clockMs });
    }
    const [step, attempt] = next;
    this.running.delete(step);
    this.trueMs += LASTS_MS;
    if (this.wakeInMs !== null) this.wakeInMs = Math.max(1, this.wakeInMs - LASTS_MS);
    const problems = [aProblem({ class: 'infra' })];
    const ending = problem
      ? ({ outcome: 'failed', problems } as const)
      : ({ outcome: 'done', ms: 1, note: '' } as const);
    this.say({ what: 'ended', step, attempt, ending, atMs: this.clockMs });
  }
}
