import { fail, type Problem } from '../model/failure.js';
import type { Axes, Queue, StepId } from '../model/ids.js';
import { KINDS, type KindName } from '../model/kinds.js';
import type { Params } from '../model/params.js';
import type { RetryPolicy, Step, StepOf } from '../model/plan.js';
import type { Ability } from '../model/worker.js';
import type { z } from 'zod';
import type { Retries } from '../model/schema/frame.js';
import type { PlannedStep } from './stage.js';

/** The part of a step that a stage decides. The rest follows from its kind. */
export interface StepSpec<K extends KindName> {
  readonly id: StepId;
  readonly on: Queue;
  readonly params: Params[K];
  readonly axes?: Axes;
  /** Its own source, where that is not the file's. */
  readonly source?: StepId | undefined;
  readonly needs?: readonly StepId[];
  readonly wants?: readonly StepId[];
  readonly after?: readonly StepId[];
  readonly files?: readonly string[];
  /** True if tools of the queue make its bytes. `tools` and its Pythons are then part of its key. */
  readonly made?: boolean;
  /** Absent: the rule of its kind. */
  readonly cache?: 'always';
  readonly tools?: readonly string[];
  readonly options?: PlannedStep['options'];
  /** Abilities besides `container`, which follows from the tool `docker`. */
  readonly can?: readonly Ability[];
  readonly timeout?: number | undefined;
  readonly retry?: z.infer<typeof Retries> | undefined;
}

const INFRA: RetryPolicy = { times: 5, waitMs: 2000, atMostMs: 60_000 };
/** A proof reports missing things early, so it retries for seconds, not minutes. */
const PROOF: RetryPolicy = { times: 3, waitMs: 1000, atMostMs: 5000 };
const LOST: RetryPolicy = { times: 3, waitMs: 0, atMostMs: 0 };

export const proveQueueId = (queue: Queue): StepId => `prove/queue/${queue}`;

const MINUTE_MS = 60_000;
/** Waits from such a range end on whole minutes: hundreds of tests may draw from it, and each wake-up costs events of the history. */
const LONG_RANGE_MS = 10 * MINUTE_MS;

const unique = (ids: readonly StepId[]): readonly StepId[] => [...new Set(ids)];

export function plannedStep<K extends KindName>(kind: K, sketch: StepSpec<K>): PlannedStep {
  const toolchain = sketch.made ? proveQueueId(sketch.on) : null;
  const needs = unique(sketch.needs ?? []);
  const tools = sketch.tools ?? [];
  if (!sketch.id.startsWith(`${KINDS[kind].ids}/`)) throw fail(wrongPrefix(sketch.id, kind));
  const step: StepOf<K> = {
    id: sketch.id,
    kind,
    stage: KINDS[kind].stage,
    on: sketch.on,
    axes: sketch.axes ?? {},
    params: sketch.params,
    ...(sketch.source !== undefined && { source: sketch.source }),
    needs,
    wants: unique([...(toolchain ? [toolchain] : []), ...(sketch.wants ?? [])]).filter((id) => !needs.includes(id)),
    after: unique(sketch.after ?? []),
    files: [...new Set(sketch.files ?? [])].sort(),
    toolchain,
    ...(toolchain !== null && { uses: { tools: [...new Set(tools)].sort(), pythons: pythonsOf(sketch.params) } }),
    ...(sketch.cache && { cache: sketch.cache }),
    limitMs: sketch.timeout ?? KINDS[kind].limitMs,
    retry: {
      infra: policy(sketch.retry?.infra, KINDS[kind].stage === 'prove' ? PROOF : INFRA),
      lost: policy(sketch.retry?.lost, LOST),
      ...(sketch.retry?.product && { product: policy(sketch.retry.product, LOST) }),
      ...(sketch.retry?.outage !== undefined && { outageMs: sketch.retry.outage }),
      ...(sketch.retry?.exit && { exit: sketch.retry.exit }),
      ...(sketch.retry?.lines && { lines: sketch.retry.lines }),
    },
  };
  const can: readonly Ability[] = [
    ...(sketch.can ?? []),
    ...(tools.includes('docker') ? (['container'] as const) : []),
  ];
  return { step: step as unknown as Step, tools, can, options: sketch.options };
}

/** Returns the Pythons of the queue that a step with these parameters uses, sorted. A relaxed lock is text. */
export function pythonsOf(params: object): readonly string[] {
  const { ownPython, python, interpreter, tool } = params as Partial<Params['buildWheel']> & { readonly tool?: string };
  const all =
    ownPython || tool === 'relax'
      ? []
      : [python, interpreter].filter((tag) => tag !== undefined && tag !== null && tag !== '');
  return [...new Set(all as string[])].sort();
}

/** The key that signs a result follows from the first part of the id. */
const wrongPrefix = (id: StepId, kind: KindName): Problem => ({
  code: 'STEP_ID_PREFIX',
  class: 'bug',
  message: `the step ${id} of kind ${kind} must have an id below ${KINDS[kind].ids}/`,
  next: 'Report this with the release file: the planner must not make such a step.',
});

type Retry = NonNullable<z.infer<typeof Retries>['infra']>;

function policy(said: Retry | undefined, usual: RetryPolicy): RetryPolicy {
  if (!said) return usual;
  const { waitMs, waitToMs } = said.wait;
  return {
    times: said.times,
    waitMs,
    ...(waitToMs !== undefined && { waitToMs }),
    ...(waitToMs !== undefined && waitToMs - waitMs >= LONG_RANGE_MS && { togetherMs: MINUTE_MS }),
    atMostMs: Math.max(said.atMost, waitToMs ?? waitMs),
  };
}
