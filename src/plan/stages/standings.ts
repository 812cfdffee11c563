import { CONTROL } from '../../model/ids.js';
import type { StandingsSection } from '../../model/schema/sections/standings.js';
import type { StandingsPolicy } from '../../model/tests/standing.js';
import type { Context } from '../context.js';
import { gitSourceOf } from '../git-source.js';
import { plannedStep } from '../planned-step.js';
import type { Stage } from '../stage.js';

/** Folds the results of all cluster tests into their standings, also after a cancelled run. */
export const standings: Stage = {
  id: 'report',
  title: 'keeping standings',
  steps: (context, made) => {
    const section = context.release.standings;
    if (section === undefined) return [];
    if (!Object.values(context.release.tests).some((test) => 'cluster' in test)) {
      const why = 'no test runs on a cluster, and only cluster tests have standings';
      const next = 'Add `cluster:` to an entry of `tests`, or take `standings` away.';
      context.needsThat(['standings'], why, next);
    }
    if (section.bisect === 'start') complainUnlessTriable(context);
    const after = made.drafts.filter(({ step }) => step.kind === 'runOnCluster').map(({ step }) => step.id);
    if (after.length === 0) return [];
    return [plannedStep('keepStandings', { id: 'report/standings', on: CONTROL, params: policyOf(section), after })];
  },
};

/** Each try of a bisect is a run of the file at another commit. */
function complainUnlessTriable(context: Context): void {
  const { pipeline, publish, point } = context.release;
  const reasons = [
    ...(pipeline === undefined ? ['this file describes a release'] : []),
    ...(gitSourceOf(context.release) === null ? ['its source has no commits'] : []),
    ...(Object.keys(publish).length + point.length > 0 ? ['it changes targets'] : []),
  ];
  if (reasons.length === 0) return;
  const why = `a bisect runs the file at older commits, and ${reasons.join(', and ')}`;
  const next = 'Write `bisect: tell`, or move the cluster tests to a file with `pipeline:` that publishes nothing.';
  context.needsThat(['standings', 'bisect'], why, next, 'value');
}

export const policyOf = ({ branch, jail, flaky, infra, bisect }: StandingsSection): StandingsPolicy => ({
  branch,
  jail: { after: jail.after, forMs: jail.for },
  flaky,
  infraCounts: infra === 'counts',
  ...(bisect === 'start' && { startsBisects: true as const }),
});
