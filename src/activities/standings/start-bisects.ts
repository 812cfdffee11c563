import { bisectIdOf, DEFAULT_WAYS, type BisectInput } from '../../model/bisect.js';
import { NEWEST_ENGINE } from '../../model/engines.js';
import type { Finding } from '../../model/finding.js';
import { records, type StartedFrom } from '../../model/run-folder.js';
import type { Standings } from '../../model/tests/standing.js';
import { turnsLeft } from '../plan/plan-bisect.js';
import { sha256 } from '../sha256.js';
import type { Work } from '../work.js';

/** Starts bisects on the Temporal server. An open bisect of the same id stays the only one. */
export interface Bisects {
  start(workflowId: string, input: BisectInput): Promise<unknown>;
}

interface Asked {
  readonly test: string;
  readonly good: string;
  readonly bad: string;
}

/** Starts a bisect for each test that turned failing in this run. A second attempt starts none of them again. Returns a finding
 * for each test whose bisect could not start: it can be typed. */
export async function startBisects(
  work: Work<'keepStandings'>,
  standings: Standings,
  bisects: Bisects,
  nowMs: number,
): Promise<readonly Finding[]> {
  const asked = await unstarted(work, askedBy(work, standings));
  if (asked.length === 0) return [];
  const from = await work.store.read<StartedFrom>(records.file(work.run));
  if (from === null) return asked.map((one) => notStarted(work, one, 'the run has no record of its release file'));
  const left = Math.max(0, await turnsLeft(work.store, nowMs));
  for (const one of asked.slice(0, left)) {
    const input = inputOf(work, from.file, one);
    const workflowId = bisectIdOf({ ...one, pipeline: standings.pipeline });
    await bisects.start(workflowId, input);
    await work.remember(keyOf(one), workflowId);
    work.log.write(`started ${workflowId}\n`);
  }
  return asked.slice(left).map((one) => notStarted(work, one, 'the bisects of this day (UTC) have all begun'));
}

/** The moves of a later night belong to its run. */
const askedBy = ({ run }: Work, { moves, nights }: Standings): readonly Asked[] =>
  nights.at(-1)?.run !== run
    ? []
    : moves.flatMap(({ test, consequences }) =>
        consequences.flatMap((one) => (one.do === 'bisect' ? [{ test, good: one.good, bad: one.bad }] : [])),
      );

async function unstarted(work: Work, asked: readonly Asked[]): Promise<readonly Asked[]> {
  const started = await Promise.all(asked.map((one) => work.recall(keyOf(one))));
  return asked.filter((_, at) => started[at] === null);
}

/** A test's name may be longer than a file name. */
const keyOf = ({ test }: Asked): string => `bisect-${sha256(test).slice(7, 23)}`;

const inputOf = ({ plan }: Work, file: string, { test, good, bad }: Asked): BisectInput => ({
  ...{ file, profile: plan.profile.name, test, good, bad },
  ...{ ways: DEFAULT_WAYS, engine: NEWEST_ENGINE, by: 'standings' },
});

const notStarted = ({ plan }: Work, { test, good, bad }: Asked, why: string): Finding => ({
  level: 'note',
  code: 'BISECT_NOT_STARTED',
  subject: test,
  why: `no bisect began: ${why}`,
  next: `Type \`slipway bisect ${test} FILE --good ${good.slice(0, 12)} --bad ${bad.slice(0, 12)} --profile ${plan.profile.name}\`.`,
});
