import fc from 'fast-check';
import { Scheduler } from '../../../src/engine/run/scheduler.js';
import { ENGINES, NEWEST_ENGINE } from '../../../src/model/engines.js';
import { entryOf } from '../../../src/model/ids.js';
import type { StepStatus } from '../../../src/model/messages.js';
import type { SkeletonStep } from '../../../src/model/plan.js';
import { CACHE_LOOKUP } from '../../../src/model/reuse.js';
import { drawnWorlds, play, worldOf, type Engine, type Moment, type Trace, type World } from '../a-play.js';
import { broken, mayStart } from './any-run.js';
import { law } from './law.js';

/** What follows when a step fails for good: it is reported, it is tolerated, and how often the product gets a further try. */
const answers = fc.record(
  { tells: fc.boolean(), stops: fc.boolean(), tolerated: fc.boolean(), product: fc.nat(2), entry: fc.nat(3) },
  { noNullPrototype: true },
);

export const drawnSoftWorlds = fc.record(
  { world: drawnWorlds, pipeline: fc.boolean(), answers: fc.array(answers, { minLength: 1, maxLength: 8 }) },
  { noNullPrototype: true },
);
type Drawn = typeof drawnSoftWorlds extends fc.Arbitrary<infer T> ? T : never;

/** Only tests and builds are tolerated: a failure to publish never is. */
const MAY_BE_TOLERATED: readonly SkeletonStep['kind'][] = ['runTest', 'buildWheel'];

export function softWorldOf({ world, pipeline, answers: said }: Drawn): World {
  const { skeleton, ...rest } = worldOf(world);
  const steps = skeleton.steps.map((step, at): SkeletonStep => {
    const { tells, stops, tolerated, product, entry } = said[at % said.length]!;
    return {
      ...step,
      id: `tests/e${entry}/${step.id}`,
      ...(tells && { onFailure: stops ? ('stop' as const) : ('tell' as const) }),
      ...(tolerated && MAY_BE_TOLERATED.includes(step.kind) && { tolerate: 'jailed' }),
      retry: { ...step.retry, ...(product > 0 && { product: { times: product, waitMs: 0, atMostMs: 0 } }) },
    };
  });
  const engine = pipeline ? NEWEST_ENGINE : ENGINES[0];
  return { ...rest, engine, skeleton: { ...skeleton, ...(pipeline && { pipeline }), steps } };
}

const PARTS: Readonly<Record<string, (trace: Trace) => boolean>> = {
  'a step whose failure is only reported or tolerated is never held': ({ world, moments }) =>
    moments.every(({ found, status }) =>
      [...found, ...status].every(({ state }, at) => {
        const { onFailure, tolerate } = world.skeleton.steps[at % status.length]!;
        return state !== 'held' || (onFailure === undefined && tolerate === undefined);
      }),
    ),

  'a tolerated step never fails': ({ world, moments }) =>
    moments.every(({ status }) =>
      status.every(({ state }, at) => state !== 'failed' || world.skeleton.steps[at]!.tolerate === undefined),
    ),

  'after a failure that stops its siblings, no step of the entry starts, and none waits': ({ world, moments }) =>
    moments.every(({ commands, status }) =>
      status.every(({ state, because = '' }, at) => {
        if (!isStopped(world, status, at)) return true;
        const starts = commands.some((command) => command.do === 'start' && command.step === at);
        // An attempt on a queue without workers is shown as waiting.
        const waits = WAITS.includes(state) && !because.startsWith('nobody serves');
        return !starts && (world.skeleton.reuse === true || !waits);
      }),
    ),

  'a step is cancelled only with the run or after a sibling failed': ({ world, moments }) =>
    moments.some(({ input }) => input?.what === 'cancel') ||
    moments.every(({ status }) =>
      status.every(({ state }, at) => state !== 'cancelled' || isStopped(world, status, at)),
    ),

  'a step is not skipped because of others if its edges allow it to run': ({ world, moments }) => {
    const { status } = moments.at(-1)!;
    return status.every((step, at) => !isBlocked(step) || !mayStart(world, at, status));
  },

  'a failure of the product is retried as often as the step says': (trace) =>
    inTurn(trace, ({ step, failures, found, stopped }) => {
      if (stopped) return true;
      const times = step.retry.product?.times ?? 0;
      const isPublishing = step.kind === 'publishArtifacts' || step.kind === 'movePointer';
      return isPublishing || (found.state === 'backing off' || found.state === 'waiting') === failures <= times;
    }),

  'a step is flaky if and only if it succeeded after a failure of the product': ({ world, moments }) => {
    if (!world.calm || world.skeleton.reuse) return true;
    const failures = new Map<number, number>();
    return moments.every((moment, no) => {
      count(moment, moments[no - 1]?.status ?? [], failures);
      return moment.status.every(({ state, flaky }, at) => {
        const isFlaky = (state === 'done' || state === 'cached') && (failures.get(at) ?? 0) > 0;
        return (flaky === true) === isFlaky;
      });
    });
  },
};

const WAITS: readonly StepStatus['state'][] = ['waiting', 'backing off', 'held'];
const isBlocked = ({ state, because = '' }: StepStatus): boolean =>
  state === 'skipped' && (because.startsWith('needs ') || / (failed|was cancelled)$/.test(because));

interface Failed {
  readonly step: SkeletonStep;
  /** Failures of the product since the step began, or since a person retried it. */
  readonly failures: number;
  readonly found: StepStatus;
  /** Whether a failed sibling stops it. */
  readonly stopped: boolean;
}

/** Whether another step of the same entry has failed and stops this one. */
const isStopped = (world: World, status: readonly StepStatus[], step: number): boolean => {
  const { steps } = world.skeleton;
  return steps.some(
    ({ id, onFailure }, other) =>
      other !== step &&
      onFailure === 'stop' &&
      status[other]!.state === 'failed' &&
      entryOf(id) === entryOf(steps[step]!.id),
  );
};

/** Whether this holds after every failure of the product, in worlds where nobody interferes. */
function inTurn({ world, moments }: Trace, holds: (failed: Failed) => boolean): boolean {
  if (!world.calm) return true;
  const failures = new Map<number, number>();
  return moments.every((moment, no) => {
    const at = count(moment, moments[no - 1]?.status ?? [], failures);
    if (at === null) return true;
    const stopped = isStopped(world, moment.found, at);
    return holds({ step: world.skeleton.steps[at]!, failures: failures.get(at)!, found: moment.found[at]!, stopped });
  });
}

/** Counts failures of the product. Returns the step that has just failed so. Null if none has. */
function count({ input, stale }: Moment, before: readonly StepStatus[], failures: Map<number, number>): number | null {
  if (stale || input === null) return null;
  if (input.what === 'action' && input.action.action === 'retry')
    before.forEach(({ state }, at) => state === 'held' && failures.delete(at));
  if (input.what !== 'ended' || input.step === CACHE_LOOKUP || input.ending.outcome !== 'failed') return null;
  if (input.ending.problems[0]?.class !== 'product') return null;
  failures.set(input.step, (failures.get(input.step) ?? 0) + 1);
  return input.step;
}

/** Names of the laws that do not hold in a world, those of every run among them. */
export function brokenSoftly(engine: Engine, world: World): readonly string[] {
  const trace = play(engine, world);
  const own = Object.entries(PARTS).flatMap(([name, holds]) => (holds(trace) ? [] : [name]));
  return [...own, ...broken(engine, world)];
}

export const softFailures = law({
  id: 'soft-failures',
  says: 'given reported, tolerated or retried failures, then a run breaks none of its laws',
  runs: 250,
  weight: 4,
  worlds: drawnSoftWorlds,
  holds: (drawn) => expect(brokenSoftly(Scheduler, softWorldOf(drawn))).toEqual([]),
});
