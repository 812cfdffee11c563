import { letterOf, letterOfAll } from '../../engine/standings/letters.js';
import type { TestNight } from '../../engine/standings/fold.js';
import { grouped } from '../../model/grouped.js';
import type { StepOf } from '../../model/plan.js';
import type { Result } from '../../model/result.js';
import { readRounds } from '../../model/rounds.js';
import { records } from '../../model/run-folder.js';
import { type Outcome, testOf } from '../../model/tests/outcome.js';
import type { Letter } from '../../model/tests/standing.js';
import { readBuildkiteJob } from '../read-buildkite-job.js';
import { readOutcomes } from '../read-outcomes.js';
import type { Work } from '../work.js';

/** Ray's number of an attempt that ended without a word of its cluster. */
const RAYS_NUMBER = 19;

type ClusterStep = StepOf<'runOnCluster'>;
export type Reads = Pick<Work, 'plan' | 'run' | 'store'>;

/** All cluster tests of a run by their names in records, with the letter of each. Writes the outcomes of attempts that
 * left none. @param at ISO 8601 */
export async function testsOfNight(work: Reads, at: string): Promise<Readonly<Record<string, TestNight>>> {
  const steps = work.plan.steps.filter((step) => step.kind === 'runOnCluster');
  const rounds = await readRounds(work.store, work.run);
  const letters = await Promise.all(
    steps.map(async (step) => letterOfStep(work, step, await work.store.read<Result>(rounds.result(step.id)), at)),
  );
  const groups = grouped(
    steps.map((step, index) => ({ step, letter: letters[index]! })),
    ({ step }) => testOf(step).test,
  );
  return Object.fromEntries([...groups].map(([test, repeats]) => [test, nightOf(test, repeats)]));
}

function nightOf(test: string, repeats: readonly { readonly step: ClusterStep; readonly letter: Letter }[]): TestNight {
  const { title, owner, about } = repeats[0]!.step.params;
  const team = about['team'] ?? null;
  const letter = letterOfAll(repeats.map((one) => one.letter));
  return { title: (title ?? test).slice(0, LONGEST), owner: clipped(owner ?? team), team: clipped(team), letter };
}

/** A longer text would make a record that its readers refuse. */
const LONGEST = 200;
const clipped = (text: string | null): string | null => text?.slice(0, LONGEST) ?? null;

/** A result of an earlier run counted in that run. Attempts before a pass are lost too, where they left no outcome. */
async function letterOfStep(work: Reads, step: ClusterStep, result: Result | null, at: string): Promise<Letter> {
  if (result !== null && result.made.run !== work.run) return 'S';
  const { test, repeat } = testOf(step);
  const folder = records.outcomes(work.plan.release.name, work.run, test);
  const { outcomes } = await readOutcomes(work.store, folder);
  const written = outcomes.flatMap(({ outcome }) => (outcome.repeat === repeat ? [outcome] : []));
  const lost = result?.made.attempt === 1 ? [] : await lostOf(work, step, written, at);
  if (result !== null) return written.some((one) => one.class === 'product') ? 'p' : 'P';
  return letterOf([...written, ...lost]);
}

/** Writes an outcome for each attempt that has a log and no outcome: its worker died, or it ended before the test began. */
async function lostOf(
  work: Reads,
  step: ClusterStep,
  written: readonly Outcome[],
  at: string,
): Promise<readonly Outcome[]> {
  const begun = await attemptsBegun(work, step);
  const silent = begun.filter((attempt) => !written.some((one) => one.attempt === attempt));
  const buildkite = silent.length === 0 ? null : await readBuildkiteJob(work);
  const lost = silent.map((attempt) => lostOutcome(work, step, attempt, at, buildkite));
  for (const one of lost) {
    const { test, repeat } = testOf(step);
    await work.store.create(records.outcome(one.pipeline, one.run, test, repeat, one.attempt), one);
  }
  return lost;
}

async function attemptsBegun({ store, run }: Reads, { id }: ClusterStep): Promise<readonly number[]> {
  const folder = records.log(run, id, 0).slice(0, -'000'.length);
  const begun = (await store.list(folder)).map((name) => Number(/^(\d+)\//.exec(name.slice(folder.length))?.[1] ?? 0));
  return [...new Set(begun)].filter((attempt) => attempt > 0);
}

/** The outcome of an attempt that wrote none. @param at ISO 8601 */
function lostOutcome(
  { plan, run }: Pick<Work, 'plan' | 'run'>,
  step: StepOf<'runOnCluster'>,
  attempt: number,
  at: string,
  buildkite: Outcome['buildkite'],
): Outcome {
  const { test, repeat } = testOf(step);
  const { title, owner, smoke, about } = step.params;
  return {
    ...{ slipway: 1, pipeline: plan.release.name, label: plan.release.version, profile: plan.profile.name, run },
    ...{ step: step.id, title: title ?? test, repeat, attempt, at, ms: 0 },
    ...{ branch: plan.source.branch, commit: plan.source.kind === 'git' ? plan.source.commit : null, tested: [] },
    ...{ code: 'OUTCOME_LOST', class: 'lost', phase: 'setUp', exit: null, returnCode: RAYS_NUMBER },
    message: 'the attempt left no outcome: its worker died, or it ended before the test began',
    ...{ results: null, metrics: null, lastLogs: [], crashPattern: '', nodes: { seen: 0, lost: [] } },
    ...{ job: null, buildkite, smoke, stable: about['stable'] !== 'false', owner: owner ?? null, tags: about },
  };
}
