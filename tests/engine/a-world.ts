import type { Command, AttemptResult, Input } from '../../src/engine/run/inputs.js';
import { Scheduler, type SchedulerOptions } from '../../src/engine/run/scheduler.js';
import type { Service } from '../../src/model/outage.js';
import type { Skeleton } from '../../src/model/plan.js';
import { aProblem } from './a-skeleton.js';

/** A service is away from one time to another, both in milliseconds. */
export interface Away {
  readonly service: Service;
  readonly fromMs: number;
  readonly toMs: number;
}

/** What steps do when they are carried out. */
export interface Nature {
  /** How long an attempt takes. */
  lastsMs(step: number): number;
  /** What it truly needs, whether its plan says so or not. */
  needs(step: number): readonly Service[];
  readonly away: readonly Away[];
  /** How an attempt ends where all that it needs answers. */
  otherwise?(step: number, attempt: number): AttemptResult;
}

interface UnderWay {
  readonly step: number;
  readonly attempt: number;
  readonly fromMs: number;
  readonly toMs: number;
}

const DONE: AttemptResult = { outcome: 'done', ms: 1, note: '' };
const MOST_INPUTS = 20_000;

/** Carries a skeleton out where services go away and come back: by its own clock, which jumps to what happens next. */
export class World {
  readonly scheduler: Scheduler;
  readonly commands: (Command & { readonly atMs: number })[] = [];
  readonly underWay: UnderWay[] = [];
  /** Steps that began in the last round. */
  readonly begun: number[] = [];
  nowMs = 0;
  wakeAtMs: number | null = null;
  readonly #aborted = new Set<number>();
  #no = 0;

  constructor(
    readonly skeleton: Skeleton,
    private readonly nature: Nature,
    options: Partial<SchedulerOptions> = {},
  ) {
    this.scheduler = new Scheduler(skeleton, { nowMs: 0, random: () => 0.5, onFailure: 'hold', ...options });
  }

  /** Goes on until the run has ended, or `until` comes.
   * @param look called after each round of commands */
  play(untilMs = Infinity, look: () => void = () => undefined): void {
    for (let guard = 0; guard < MOST_INPUTS; guard++) {
      this.begun.length = 0;
      for (const command of this.scheduler.next()) this.#carryOut(command);
      look();
      if (this.scheduler.ended) return;
      const next = this.#nextMs();
      if (next > untilMs) {
        this.nowMs = untilMs;
        return;
      }
      if (next === Infinity) throw new Error('nothing runs, nothing is timed, and the run has not ended');
      this.nowMs = Math.max(this.nowMs, next);
      this.#happen();
    }
    throw new Error('the run does not end');
  }

  say(input: Input): void {
    this.scheduler.apply({ ...input, no: ++this.#no });
  }

  #nextMs(): number {
    return Math.min(this.wakeAtMs ?? Infinity, ...this.underWay.map(({ toMs }) => toMs));
  }

  #carryOut(command: Command): void {
    this.commands.push({ ...command, atMs: this.nowMs });
    if (command.do === 'wakeAt') this.wakeAtMs = command.atMs;
    if (command.do === 'abort') this.#aborted.add(command.step);
    if (command.do !== 'start') return;
    const { step, attempt } = command;
    this.begun.push(step);
    this.underWay.push({ step, attempt, fromMs: this.nowMs, toMs: this.nowMs + this.nature.lastsMs(step) });
  }

  #happen(): void {
    if (this.wakeAtMs !== null && this.wakeAtMs <= this.nowMs) {
      this.wakeAtMs = null;
      return this.say({ what: 'wake', atMs: this.nowMs });
    }
    const at = this.underWay.findIndex(({ toMs }) => toMs <= this.nowMs);
    const [ended] = this.underWay.splice(at, 1);
    const { step, attempt } = ended!;
    this.say({ what: 'ended', step, attempt, ending: this.#ending(ended!), atMs: this.nowMs });
  }

  #ending({ step, attempt, fromMs, toMs }: UnderWay): AttemptResult {
    if (this.#aborted.delete(step)) return { outcome: 'failed', problems: [aProblem({ class: 'cancelled' })] };
    const needs = this.nature.needs(step);
    const gone = this.nature.away.find(
      ({ service, ...away }) => needs.includes(service) && away.fromMs <= toMs && fromMs <= away.toMs,
    );
    if (gone === undefined) return this.nature.otherwise?.(step, attempt) ?? DONE;
    const problem = aProblem({
      class: 'infra',
      code: 'AWAY',
      service: gone.service,
      message: `${gone.service} is away`,
    });
    return { outcome: 'failed', problems: [problem] };
  }
}
