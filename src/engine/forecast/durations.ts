import { sizeOf, type Durations, type StepClass } from '../../model/durations.js';
import { withoutHash } from '../../model/id-prefixes.js';
import type { RunId, StepId } from '../../model/ids.js';
import type { Plan, Skeleton, SkeletonStep, Step } from '../../model/plan.js';
import type { Result } from '../../model/result.js';

type Known = Pick<SkeletonStep, 'id' | 'kind' | 'on' | 'limitMs'>;

export interface Expectation {
  readonly p50Ms: number;
  readonly p90Ms: number;
  readonly times: number;
  /** Source of the measurements: this step in this release, steps like it (kind, queue, size), or its kind. */
  readonly by: 'step' | 'class' | 'kind';
}
/** Returns the expected duration of a step. Null without a measurement of its kind. */
export type Expect = (step: Known) => Expectation | null;

const classOf = ({ kind, on, limitMs }: Known): StepClass => ({ kind, on, size: sizeOf(limitMs) });
const nameOf = ({ kind, on, size }: StepClass): string => `${kind} ${on} ${size}`;

/** A step and its duration. Every `Result` is one. */
export interface Measured {
  readonly step: StepId;
  readonly made: Pick<Result['made'], 'run' | 'ms' | 'reused'>;
}

export function durationsOf(plan: Plan, run: RunId, at: string, results: readonly Measured[]): Durations {
  const made = new Map(
    results.filter(({ made: { run: by, reused } }) => by === run && !reused).map((result) => [result.step, result]),
  );
  const classes = new Map<string, { readonly no: number; readonly of: StepClass }>();
  const steps: Record<StepId, readonly [number, number]> = {};
  for (const step of plan.steps as readonly Step[]) {
    const result = made.get(step.id);
    if (result === undefined) continue;
    const of = classOf(step);
    const known = classes.get(nameOf(of)) ?? { no: classes.size, of };
    classes.set(nameOf(of), known);
    // The worker's clock may have been set back.
    steps[step.id] = [known.no, Math.max(0, result.made.ms)];
  }
  return { release: plan.release.name, run, at, classes: [...classes.values()].map((known) => known.of), steps };
}

/** Returns expected durations from earlier runs: by step from runs of this release, by class and kind from all runs. */
export function expectations(history: readonly Durations[], release: string): Expect {
  const [byStep, byClass, byKind] = [
    new Map<string, number[]>(),
    new Map<string, number[]>(),
    new Map<string, number[]>(),
  ];
  for (const one of history)
    for (const [id, [no, ms]] of Object.entries(one.steps)) {
      const of = one.classes[no];
      if (of === undefined || !(ms >= 0)) continue; // an altered record, or a clock that was set back
      if (one.release === release) put(byStep, withoutHash(id), ms);
      put(byClass, nameOf(of), ms);
      put(byKind, of.kind, ms);
    }
  const asked = new Map<string, Expectation>();
  const told = (
    by: Expectation['by'],
    all: ReadonlyMap<string, readonly number[]>,
    name: string,
  ): Expectation | null => {
    const times = all.get(name);
    if (times === undefined) return null;
    const known = asked.get(`${by} ${name}`) ?? summary(by, times);
    asked.set(`${by} ${name}`, known);
    return known;
  };
  return (step) =>
    told('step', byStep, withoutHash(step.id)) ??
    told('class', byClass, nameOf(classOf(step))) ??
    told('kind', byKind, step.kind);
}

function put(into: Map<string, number[]>, name: string, ms: number): void {
  const list = into.get(name);
  if (list) list.push(ms);
  else into.set(name, [ms]);
}

function summary(by: Expectation['by'], times: readonly number[]): Expectation {
  const sorted = [...times].sort((a, b) => a - b);
  return { p50Ms: percentile(sorted, 0.5), p90Ms: percentile(sorted, 0.9), times: sorted.length, by };
}

/** Nearest-rank percentile, which is always a measured duration. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;

/** Returns the 90th percentile of each step of a skeleton, by number. Undefined without measurements. */
export const slowest = ({ steps }: Skeleton, expect: Expect): readonly (number | undefined)[] =>
  steps.map((step) => expect(step)?.p90Ms);

/** Adds expected durations to a skeleton. They are no part of the plan, so its digest stays the same. */
export const expecting = (skeleton: Skeleton, expect: Expect): Skeleton => ({
  ...skeleton,
  steps: skeleton.steps.map((step) => {
    const expected = expect(step);
    return expected === null ? step : { ...step, expectedMs: expected.p50Ms };
  }),
});
