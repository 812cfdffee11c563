import fc from 'fast-check';
import type { Command, AttemptResult, Input, Numbered } from '../../src/engine/run/inputs.js';
import type { Scheduler } from '../../src/engine/run/scheduler.js';
import type { StepStatus } from '../../src/model/messages.js';
import type { Skeleton } from '../../src/model/plan.js';
import { CACHE_LOOKUP, type Found } from '../../src/model/reuse.js';
import { aProblem } from './a-skeleton.js';
import { CLASSES, QUEUES, drawnGraphs, graphOf } from './graphs.js';

/** The scheduler under test: the real one, or one with a bug in it. */
export type Engine = typeof Scheduler;

/** A graph, and what happens to it. */
export interface World {
  readonly skeleton: Skeleton;
  /** Nothing happens but that steps end, well or not, once or more often, that time passes, and that machines come and go. */
  readonly calm: boolean;
  readonly onFailure: 'hold' | 'fail';
  /** Version of the scheduler's rules. */
  readonly engine?: number;
  /** Drawn from again and again. */
  readonly luck: readonly number[];
}

/** A world as plain data. */
export const drawnWorlds = fc.record(
  {
    graph: drawnGraphs,
    salt: fc.nat(9),
    reuse: fc.boolean(),
    calm: fc.boolean(),
    onFailure: fc.constantFrom('hold' as const, 'fail' as const),
    luck: fc.array(fc.nat(1_000_000), { minLength: 8, maxLength: 64 }),
  },
  { noNullPrototype: true },
);
export type DrawnWorld = typeof drawnWorlds extends fc.Arbitrary<infer T> ? T : never;

export function worldOf({ graph, salt, reuse, ...rest }: DrawnWorld): World {
  const skeleton = graphOf(graph);
  const steps = skeleton.steps.map((step, at) => ({ ...step, expectedMs: ((at * 7 + salt) % 10) * 100 }));
  return { ...rest, skeleton: { ...skeleton, ...(reuse && { reuse }), steps } };
}

export const worlds: fc.Arbitrary<World> = drawnWorlds.map(worldOf);

export interface Moment {
  /** What was applied before; null: nothing yet. */
  readonly input: Numbered | null;
  /** It was applied before already, or tells of an attempt that is not under way. */
  readonly stale: boolean;
  /** What stood there right after it, before the scheduler was asked what to do. */
  readonly found: readonly StepStatus[];
  readonly commands: readonly Command[];
  readonly status: readonly StepStatus[];
  readonly paused: boolean;
}

/** All that happened, in order. */
export interface Trace {
  readonly world: World;
  readonly moments: readonly Moment[];
  /** Why the run did not come to its end; null: it did. */
  readonly stuck: string | null;
}

/** Chance that can be had again. */
export const chance = (luck: readonly number[]): (() => number) => {
  let at = 0;
  return () => ((luck[at++ % luck.length]! + at * 7919) % 1000) / 1000;
};
export const optionsOf = ({ onFailure, luck, engine }: World) => ({
  ...{ nowMs: 0, random: chance(luck), onFailure },
  ...(engine !== undefined && { engine }),
});

/** After so many inputs everybody wants the run to end. */
const LIVELY = 120;
const MOST = 2000;
type Start = Extract<Command, { do: 'start' }>;

/** Plays a world to its end: endings come in any order, late, and more than once. */
export function play(engine: Engine, world: World): Trace {
  return new Play(engine, world).run();
}

class Play {
  readonly #scheduler: Scheduler;
  readonly #moments: Moment[] = [];
  readonly #running = new Map<number, Start>();
  readonly #over: Start[] = [];
  readonly #aborting = new Set<number>();
  readonly #applied: Numbered[] = [];
  #walk: Extract<Command, { do: 'look up' }> | null = null;
  #wakeAtMs: number | null = null;
  #drawn = 0;
  #no = 0;
  #nowMs = 0;

  constructor(
    engine: Engine,
    private readonly world: World,
  ) {
    this.#scheduler = new engine(world.skeleton, optionsOf(world));
  }

  run(): Trace {
    const { world } = this;
    let next: { readonly input: Numbered | null; readonly stale: boolean } = { input: null, stale: false };
    for (let count = 0; count < MOST; count++) {
      const found = this.#scheduler.status();
      const commands = this.#scheduler.next();
      const paused = this.#scheduler.paused !== null;
      this.#moments.push({ ...next, found, commands, status: this.#scheduler.status(), paused });
      for (const command of commands) this.#carryOut(command);
      if (this.#scheduler.ended) return { world, moments: this.#moments, stuck: null };
      const happens = this.#happens();
      if (happens === null) return { world, moments: this.#moments, stuck: 'nothing runs, and nothing is timed' };
      next = happens;
      this.#scheduler.apply(next.input!);
    }
    return { world, moments: this.#moments, stuck: `it has not ended after ${MOST} inputs` };
  }

  #draw(below: number): number {
    const { luck } = this.world;
    const drawn = luck[this.#drawn++ % luck.length]!;
    // Mixed with how often it was drawn: else the same things happen in turn for ever, and no run ends.
    const mixed = Math.imul(drawn ^ Math.imul(this.#drawn, 0x9e3779b1), 0x85ebca6b);
    return ((mixed ^ (mixed >>> 13)) >>> 0) % below;
  }

  #carryOut(command: Command): void {
    if (command.do === 'start') this.#running.set(command.step, command);
    if (command.do === 'look up') this.#walk = command;
    if (command.do === 'abort' && command.step !== CACHE_LOOKUP) this.#aborting.add(command.step);
    if (command.do === 'wakeAt') this.#wakeAtMs = command.atMs;
  }

  #happens(): { readonly input: Numbered; readonly stale: boolean } | null {
    if (this.#draw(8) === 0 && this.#over.length > 0) return this.#again();
    this.#nowMs += this.#draw(50);
    const input = this.#lively() ?? this.#expected() ?? this.#action();
    if (input === null) return null;
    const numbered = { ...input, no: ++this.#no };
    this.#applied.push(numbered);
    return { input: numbered, stale: false };
  }

  /** A relay repeats itself, or an attempt is told of that ended before. */
  #again(): { readonly input: Numbered; readonly stale: boolean } {
    if (this.#draw(2) === 0) return { input: this.#applied[this.#draw(this.#applied.length)]!, stale: true };
    const { step, attempt } = this.#over[this.#draw(this.#over.length)]!;
    const input = {
      what: 'ended',
      step,
      attempt,
      ending: this.#ending(step),
      atMs: this.#nowMs,
      no: ++this.#no,
    } as const;
    this.#applied.push(input);
    return { input, stale: true };
  }

  /** Actions, machines that come and go: at any moment, for a while. */
  #lively(): Input | null {
    const { calm, skeleton } = this.world;
    if (this.#no > LIVELY) return null;
    if (calm) return this.#draw(12) === 0 ? this.#fleet([]) : null;
    const atMs = this.#nowMs;
    const { id } = skeleton.steps[this.#draw(skeleton.steps.length)]!;
    switch (this.#draw(24)) {
      case 0:
        return { what: 'action', action: { action: 'retry' }, atMs };
      case 1:
        return { what: 'action', action: { action: (['retry', 'cancel'] as const)[this.#draw(2)]!, step: id }, atMs };
      case 2:
        return this.#draw(3) > 0
          ? null
          : { what: 'action', action: { action: 'skip', step: id, reason: 'not today' }, atMs };
      case 3:
        return { what: 'action', action: { action: this.#draw(3) === 0 ? 'pause' : 'resume' }, atMs };
      case 4:
        return this.#draw(2) === 0 ? { what: 'cancel', reason: 'enough', atMs } : null;
      case 5:
      case 6:
        return this.#fleet();
      default:
        return null;
    }
  }

  #fleet(absent: readonly string[] = QUEUES.filter(() => this.#draw(4) === 0)): Input {
    const unserved = absent.map((queue) => ({ queue, since: this.#nowMs }));
    const slots = Object.fromEntries(QUEUES.filter(() => this.#draw(2) === 0).map((queue) => [queue, this.#draw(5)]));
    return { what: 'fleet', unserved, ...(this.#draw(4) > 0 && { slots }), atMs: this.#nowMs };
  }

  /** What somebody waits for. */
  #expected(): Input | null {
    const all = [...this.#running.values()];
    const choices = all.length + Number(this.#walk !== null);
    if (this.#wakeAtMs !== null && (choices === 0 || this.#draw(4) === 0)) return this.#wake();
    if (choices === 0) return null;
    const chosen = all[this.#draw(choices)];
    if (chosen === undefined) return this.#walked();
    this.#running.delete(chosen.step);
    this.#over.push(chosen);
    const { step, attempt } = chosen;
    return { what: 'ended', step, attempt, ending: this.#ending(step), atMs: this.#nowMs };
  }

  #wake(): Input {
    this.#nowMs = Math.max(this.#nowMs, this.#wakeAtMs!);
    this.#wakeAtMs = null;
    return { what: 'wake', atMs: this.#nowMs };
  }

  /** A run that stands still waits for somebody. */
  #action(): Input | null {
    const atMs = this.#nowMs;
    if (this.#scheduler.paused !== null) return { what: 'action', action: { action: 'resume' }, atMs };
    const held = this.#scheduler.status().find(({ state }) => state === 'held');
    if (held === undefined) return null;
    const skip = { action: 'skip', step: held.id, reason: 'not today' } as const;
    return { what: 'action', action: this.#no > LIVELY || this.#draw(2) === 0 ? skip : { action: 'retry' }, atMs };
  }

  #ending(step: number): AttemptResult {
    if (this.#aborting.delete(step) && this.#draw(2) === 0)
      return { outcome: 'failed', problems: [aProblem({ class: 'cancelled' })] };
    if (this.#no > LIVELY || this.#draw(3) > 0)
      return { outcome: this.#draw(4) === 0 ? 'cached' : 'done', ms: 1, note: '' };
    const away = !this.world.calm && this.#draw(4) === 0;
    const service = ['Docker', 'an index'][this.#draw(2)]!;
    const failure = CLASSES[this.#draw(CLASSES.length)]!;
    const problem = away ? aProblem({ class: 'infra', service }) : aProblem({ class: failure });
    return { outcome: 'failed', problems: [problem] };
  }

  /** A walk looks at those that it was given, and goes on from what it found, in the wrong order and too far now and then. */
  #walked(): Input {
    const { attempt, from } = this.#walk!;
    this.#walk = null;
    const atMs = this.#nowMs;
    if (this.#draw(6) === 0)
      return {
        what: 'ended',
        step: CACHE_LOOKUP,
        attempt,
        ending: { outcome: 'failed', problems: [aProblem()] },
        atMs,
      };
    const looked = from;
    const known = looked.filter(() => this.#draw(2) === 0);
    const further = [...this.world.skeleton.steps.keys()].filter(
      (step) => !looked.includes(step) && this.#draw(3) === 0,
    );
    const found = [...known, ...further].map((step): Found => [step, 3, 'known']);
    const unknown = looked.filter((step) => !known.includes(step));
    return { what: 'known', step: CACHE_LOOKUP, attempt, found, unknown, atMs };
  }
}
