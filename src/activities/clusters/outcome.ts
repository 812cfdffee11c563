import { join } from 'node:path';
import type { Artifact } from '../../model/artifact.js';
import { fail, type Problem } from '../../model/failure.js';
import type { JsonObject } from '../../model/json.js';
import { records } from '../../model/run-folder.js';
import { crashPattern } from '../../model/tests/crash-pattern.js';
import {
  boundedOutcome,
  isRecordable,
  type Outcome,
  OUTCOME_LIMITS,
  type TestPhase,
  testOf,
} from '../../model/tests/outcome.js';
import { readBuildkiteJob } from '../read-buildkite-job.js';
import type { Work } from '../work.js';
import { RESULT_FILE } from './lay-out.js';
import type { LostNode } from './node-watch.js';
import { readLeft } from './results.js';

/** Exit code of Ray's release tests for a failure that none of their codes describes. */
const RAY_UNKNOWN = 3;

/** Facts of an attempt that ended. */
export interface AttemptEnd {
  /** Null if the test passed. */
  readonly problem: Problem | null;
  readonly kept: readonly Artifact[];
  readonly seen: number;
  readonly lost: readonly LostNode[];
  /** Null if the test ran as no job. */
  readonly job: Outcome['job'];
  readonly out: string;
  readonly ms: number;
}

/** Records how the attempt ended, create-once. A second delivery of the attempt leaves the first record. */
export async function recordOutcome(work: Work<'runOnCluster'>, end: AttemptEnd): Promise<void> {
  const { test, repeat } = testOf(work.step);
  const name = records.outcome(work.plan.release.name, work.run, test, repeat, work.attempt);
  await work.store.create(name, boundedOutcome(outcomeOf(work, end, repeat, await readBuildkiteJob(work))));
}

function outcomeOf(
  work: Work<'runOnCluster'>,
  end: AttemptEnd,
  repeat: number,
  buildkite: Outcome['buildkite'],
): Outcome {
  const { plan, step } = work;
  const { params } = step;
  const lastLogs = work.log.tail(OUTCOME_LIMITS.lines);
  const problem = end.problem === null ? null : work.judged(fail(end.problem));
  const {
    phase = 'setUp',
    status,
    ray = RAY_UNKNOWN,
  } = (problem?.details ?? { phase: 'alerts', status: 0, ray: 0 }) as Details;
  return {
    slipway: 1,
    ...{ pipeline: plan.release.name, label: plan.release.version, profile: plan.profile.name },
    ...{ run: work.run, step: step.id, repeat, attempt: work.attempt },
    title: params.title ?? step.id.split('/')[1] ?? step.id,
    ...{ at: new Date().toISOString(), ms: end.ms },
    branch: plan.source.branch,
    commit: plan.source.kind === 'git' ? plan.source.commit : null,
    tested: testedBy(work).map(({ name, digest }) => ({ name, digest })),
    ...{ code: problem?.code ?? null, class: problem?.class ?? null, message: problem?.message ?? '' },
    ...{ phase, exit: status ?? null, returnCode: ray },
    results: resultsIn(work, end.out),
    metrics: end.kept.find(({ name }) => name === 'metrics.json.gz')?.digest ?? null,
    ...{ lastLogs, crashPattern: problem === null ? '' : crashPattern(lastLogs) },
    nodes: { seen: end.seen, lost: end.lost },
    ...{ job: end.job, buildkite },
    ...{ smoke: params.smoke, stable: params.about['stable'] !== 'false' },
    ...{ owner: params.owner, tags: params.about },
  };
}

/** Wheels that the test needs, and the image that its nodes run from. A base is neither. */
const testedBy = (work: Work<'runOnCluster'>): readonly Artifact[] => [
  ...work.artifacts('wheel'),
  ...work.inputs.flatMap(({ kind, artifacts }) =>
    kind === 'buildImage' ? artifacts.filter((one) => one.kind === 'image') : [],
  ),
];

interface Details {
  readonly phase?: TestPhase;
  readonly status?: number;
  readonly ray?: number;
}

/** The result without secrets. Null where there is none, or one that is no map, too large or nested too deep for a record. */
function resultsIn(work: Work<'runOnCluster'>, out: string): JsonObject | null {
  try {
    const found = readLeft(work, join(out, RESULT_FILE), 4 * OUTCOME_LIMITS.resultCharacters);
    if (found === null || found.text === null) return null;
    const content: unknown = JSON.parse(found.text);
    if (typeof content !== 'object' || content === null || Array.isArray(content)) return null;
    return isRecordable(content) ? work.withoutSecrets(content as JsonObject) : null;
  } catch {
    return null;
  }
}
