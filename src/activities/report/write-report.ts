import { durationsOf, type Measured } from '../../engine/forecast/durations.js';
import { counted } from '../../model/counted.js';
import { digestOf, isDigest } from '../../model/digest.js';
import type { Report } from '../../model/report.js';
import type { Result } from '../../model/result.js';
import { readRounds } from '../../model/rounds.js';
import { records, type Started } from '../../model/run-folder.js';
import type { Body, Work } from '../work.js';
import { drawReport } from './draw-report.js';
import { sha256 } from '../sha256.js';

/** Collects the results of the run into one record for people and programs, even after failures. */
export const createWriteReport = (): Body<'writeReport'> => async (work) => {
  const beganMs = performance.now();
  const results = await resultsOf(work);
  const drawn = drawReport({ plan: work.plan, digest: digestOf(work.plan, sha256), run: work.run, results });
  const { value: report } = await work.store.create<Report>(records.report(work.run), drawn);
  // This step has no result yet. Without its own time a later run would estimate it by its limit.
  const own: Measured = { step: work.step.id, made: { run: work.run, ms: Math.round(performance.now() - beganMs) } };
  await keepDurations(work, [...results, own]);
  const facts = { published: report.published.length, pointers: report.pointers.filter(({ moved }) => moved).length };
  return {
    artifacts: [],
    facts: isDigest(report.manifest) ? { ...facts, manifest: report.manifest } : facts,
    note: `${counted(facts.published, 'name')} published${facts.pointers > 0 ? `, ${counted(facts.pointers, 'pointer')} moved` : ''}`,
  };
};

/** Stores measured durations, from which later runs order steps and estimate their end. */
async function keepDurations(work: Pick<Work, 'plan' | 'run' | 'store'>, results: readonly Measured[]): Promise<void> {
  const started = await work.store.read<Started>(records.started(work.run));
  if (started === null) return;
  const measured = durationsOf(work.plan, work.run, started.at, results);
  const { release, at, run } = measured;
  if (measured.classes.length > 0) await work.store.create(records.durations(release, at, run), measured);
}

/** Reads the results of all steps that succeeded, in the plan's order. */
async function resultsOf(work: Pick<Work, 'plan' | 'run' | 'store'>): Promise<readonly Result[]> {
  const rounds = await readRounds(work.store, work.run);
  const found = await Promise.all(work.plan.steps.map(({ id }) => work.store.read<Result>(rounds.result(id))));
  return found.filter((result) => result !== null);
}
