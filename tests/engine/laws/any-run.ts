import { isDeepStrictEqual } from 'node:util';
import { Windows } from '../../../src/engine/run/windows.js';
import type { Command } from '../../../src/engine/run/inputs.js';
import type { StepState, StepStatus } from '../../../src/model/messages.js';
import { isAfterOnly, type SkeletonStep } from '../../../src/model/plan.js';
import { Scheduler } from '../../../src/engine/run/scheduler.js';
import { drawnWorlds, optionsOf, play, worldOf, type Engine, type Moment, type Trace, type World } from '../a-play.js';
import { law } from './law.js';

const ENDED: readonly StepState[] = ['done', 'cached', 'failed', 'skipped', 'cancelled'];
const hasEnded = ({ state }: StepStatus): boolean => ENDED.includes(state);
const succeeded = ({ state }: StepStatus): boolean => state === 'done' || state === 'cached';
/** By a person or because its failure is tolerated, or with such a step. */
const leftOut = ({ state, because }: StepStatus): boolean =>
  state === 'skipped' && /not today|jailed/.test(because ?? '');

type Start = Extract<Command, { do: 'start' }>;
const startsOf = ({ commands }: Moment): readonly Start[] =>
  commands.filter((command): command is Start => command.do === 'start');

/** What must hold in every run, whatever happens to it; each law is told by what was seen of the scheduler, not by what it thinks. */
const PARTS: Readonly<Record<string, (trace: Trace, engine: Engine) => boolean>> = {
  'every run ends, once, with all its steps': ({ moments, stuck }) => {
    const last = moments.at(-1)!;
    const ends = moments.flatMap(({ commands }) => commands).filter((command) => command.do === 'end');
    return stuck === null && ends.length === 1 && last.status.every(hasEnded);
  },

  'every step ends once, and its end does not change': ({ moments }) =>
    moments.every(({ found }, at) => {
      const before = moments[at - 1]?.status ?? [];
      return before.every((was, step) => !hasEnded(was) || sameEnd(was, found[step]!));
    }) &&
    moments.every(({ found, status }) => found.every((was, step) => !hasEnded(was) || sameEnd(was, status[step]!))),

  'nothing starts before its edges allow': ({ world, moments }) =>
    moments.every((moment) => startsOf(moment).every(({ step }) => mayStart(world, step, moment.status))),

  'attempts of a step run one at a time and are numbered in order': ({ moments }) => {
    const attempts = new Map<number, number>();
    const running = new Set<number>();
    return moments.every((moment) => {
      const ended = endedBy(moment);
      if (ended !== null) running.delete(ended);
      return startsOf(moment).every(({ step, attempt }) => {
        const isNext = !running.has(step) && attempt === (attempts.get(step) ?? 0) + 1;
        attempts.set(step, attempt);
        running.add(step);
        return isNext;
      });
    });
  },

  'windows hold, also while the fleet changes': ({ world, moments }) => {
    const windows = new Windows(world.skeleton);
    const running = new Map<number, string>();
    return moments.every((moment) => {
      const { input } = moment;
      if (input?.what === 'fleet' && input.slots && !moment.stale) windows.set(input.slots);
      const ended = endedBy(moment);
      if (ended !== null) running.delete(ended);
      return startsOf(moment).every(({ step }) => {
        const { on } = world.skeleton.steps[step]!;
        running.set(step, on);
        return [...running.values()].filter((queue) => queue === on).length <= windows.size(on);
      });
    });
  },

  'no slot is idle while a step is ready, and the longest remaining path starts first': ({ world, moments }) => {
    if (!world.calm || world.skeleton.reuse) return true; // else it may wait for something else
    const { skeleton } = world;
    const windows = new Windows(skeleton);
    const paths = longestPaths(skeleton.steps);
    const conflicts = new Conflicts();
    return moments.every((moment) => {
      conflicts.see(moment);
      const { input } = moment;
      if (input?.what === 'fleet' && input.slots && !moment.stale) windows.set(input.slots);
      const starts = startsOf(moment).map(({ step }) => step);
      const ready = moment.status.flatMap(({ state, attempt }, step) =>
        state === 'waiting' && attempt === 0 && mayStart(world, step, moment.status) ? [step] : [],
      );
      const free = ready.filter((step) => !conflicts.stops(step, moment.status));
      return free.every((step) => {
        const { on } = skeleton.steps[step]!;
        const running = moment.status.filter(
          ({ state }, other) => state === 'running' && skeleton.steps[other]!.on === on,
        );
        const here = starts.filter((other) => skeleton.steps[other]!.on === on);
        return running.length >= windows.size(on) && here.every((other) => paths[other]! >= paths[step]!);
      });
    });
  },

  'nothing is published while a step that met a conflict is held, or after it failed': ({ moments }) => {
    const conflicts = new Conflicts();
    let cancelled = false;
    return moments.every((moment) => {
      conflicts.see(moment);
      cancelled ||= moment.input?.what === 'cancel'; // what tidies up may publish
      if (cancelled || !conflicts.stand(moment.found)) return true;
      return startsOf(moment).every(({ step }) => !conflicts.stops(step, moment.found));
    });
  },

  'in a cancelled run only cleanup steps start': ({ world, moments }) => {
    let cancelled = false;
    return moments.every((moment) => {
      cancelled ||= moment.input?.what === 'cancel';
      return !cancelled || startsOf(moment).every(({ step }) => isAfterOnly(world.skeleton.steps[step]!));
    });
  },

  'a run ends well when every step succeeded or was skipped and a release published; else it has a reason': ({
    world,
    moments,
  }) => {
    const { pipeline = false } = world.skeleton;
    const end = moments.at(-1)!.commands.find((command) => command.do === 'end');
    if (end === undefined) return true; // another law
    const { verdict, reasons } = end.verdict;
    const { status } = moments.at(-1)!;
    const publishing = status.filter(({ kind }) => kind === 'publishArtifacts');
    const nothing = !pipeline && publishing.length > 0 && !publishing.some(succeeded);
    const well = !nothing && status.every((step) => succeeded(step) || leftOut(step));
    return (verdict === (pipeline ? 'done' : 'released')) === well && (well || reasons.length > 0);
  },

  'an input that was applied already, or for an attempt that is over, changes nothing': ({ moments }) =>
    moments.every(({ stale, found }, at) => !stale || isDeepStrictEqual(found, moments[at - 1]!.status)),

  'the same inputs give the same commands': ({ world, moments }, engine) => {
    const again = new engine(world.skeleton, optionsOf(world));
    return moments.every(({ input, commands }) => {
      if (input !== null) again.apply(input);
      return isDeepStrictEqual(again.next(), commands);
    });
  },
};

/** Names of the laws that do not hold in a world. */
export function broken(engine: Engine, world: World): readonly string[] {
  const trace = play(engine, world);
  return Object.entries(PARTS).flatMap(([name, holds]) => (holds(trace, engine) ? [] : [name]));
}

export const anyRun = law({
  id: 'any-run',
  says: 'given any events, then a run breaks none of its laws',
  runs: 500,
  weight: 8,
  worlds: drawnWorlds,
  holds: (drawn) => expect(broken(Scheduler, worldOf(drawn))).toEqual([]),
});

const sameEnd = (one: StepStatus, other: StepStatus): boolean =>
  one.state === other.state && one.attempt === other.attempt && one.note === other.note;

export function mayStart(world: World, step: number, status: readonly StepStatus[]): boolean {
  const { needs, wants, after, kind } = world.skeleton.steps[step]!;
  const goesOn = (world.engine ?? 0) >= 4 && !PUBLISHES.includes(kind);
  return (
    needs.every((on) => succeeded(status[on]!)) &&
    wants.every((on) => succeeded(status[on]!) || leftOut(status[on]!) || (goesOn && isTold(world, on, status))) &&
    after.every((on) => hasEnded(status[on]!))
  );
}

/** Whether a step ended because of a failure that is only reported, its own or that of a step which it needs. */
function isTold({ skeleton: { steps } }: World, step: number, status: readonly StepStatus[]): boolean {
  const { state, because = '' } = status[step]!;
  const [, cause] = /(\S+) (?:failed|met a conflict)$/.exec(because) ?? [];
  const root = state === 'skipped' ? steps.findIndex(({ id }) => id === cause) : step;
  return status[root]?.state === 'failed' && steps[root]!.onFailure === 'tell';
}

/** The step whose attempt is over with this. */
const endedBy = ({ input, stale }: Moment): number | null => (input?.what === 'ended' && !stale ? input.step : null);

/** By the definition, not by the scheduler's way to count them. */
function longestPaths(steps: readonly SkeletonStep[]): readonly number[] {
  const users = steps.map((): number[] => []);
  steps.forEach(({ needs, wants, after }, step) =>
    [...needs, ...wants, ...after].forEach((on) => users[on]!.push(step)),
  );
  const known = new Map<number, number>();
  const from = (step: number): number => {
    const path = known.get(step) ?? steps[step]!.expectedMs! + Math.max(0, ...users[step]!.map(from));
    known.set(step, path);
    return path;
  };
  return steps.map((_, step) => from(step));
}

const PUBLISHES: readonly StepStatus['kind'][] = ['publishArtifacts', 'movePointer'];

/** Steps that met a conflict so far. Publishing steps wait until each of them is done or left out. */
class Conflicts {
  readonly #met = new Set<number>();

  see({ input, stale }: Moment): void {
    if (stale || input?.what !== 'ended' || input.ending.outcome !== 'failed') return;
    if (input.ending.problems[0]?.class === 'conflict') this.#met.add(input.step);
  }

  /** One of them is held, or has failed: nobody has looked at it. */
  stand(status: readonly StepStatus[]): boolean {
    return [...this.#met].some((met) => status[met]!.state === 'held' || status[met]!.state === 'failed');
  }

  /** Not one that met a conflict itself: a person told it to run again. */
  stops(step: number, status: readonly StepStatus[]): boolean {
    if (this.#met.has(step)) return false;
    const isOver = (met: number): boolean => succeeded(status[met]!) || status[met]!.state === 'skipped';
    return PUBLISHES.includes(status[step]!.kind) && [...this.#met].some((met) => !isOver(met));
  }
}
