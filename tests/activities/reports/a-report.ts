import type { Reporter } from '../../../src/model/tests/reporter.js';
import { createReportTests } from '../../../src/activities/reports/report-tests.js';
import { createTrackers } from '../../../src/adapters/github/github.js';
import { createTables } from '../../../src/adapters/postgres/tables.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { createTargets } from '../../../src/adapters/targets.js';
import { records } from '../../../src/model/run-folder.js';
import type { Outcome } from '../../../src/model/tests/outcome.js';
import type { Standings } from '../../../src/model/tests/standing.js';
import { join } from 'node:path';
import { CHAIN } from '../../engine/standings/a-night.js';
import { aStep, runBody, type BodyRun, type RunBody } from '../../support/run-body.js';

const body = createReportTests({
  ...{ targets: createTargets({ patienceMs: 1_000 }), trackers: createTrackers(), tables: createTables() },
  lookWaitsMs: [1, 1, 1],
});

const storeIn = (home: string) => createDirectoryStore(join(home, 'store'));

/** Runs a report in the run of that name. */
export const reported = (home: string, run: string, reporter: Reporter, more: RunBody = {}): Promise<BodyRun> =>
  runBody(body, aStep('reportTests', reporter, { id: `reports/${reporter.kind}`, stage: 'report' }), {
    ...{ home, run, ...more },
    plan: {
      ...{ release: { name: CHAIN.pipeline, version: '2026-11-22' }, pipeline: true },
      ...{ profile: { name: CHAIN.profile, rehearsal: false }, ...more.plan },
    },
  });

/** Keeps the standings of a night, and that its run has ended. */
export async function keepNight(home: string, standings: Standings): Promise<string> {
  const { no, run } = standings.nights.at(-1)!;
  await storeIn(home).create(records.standings(CHAIN, no), standings);
  await storeIn(home).create(records.status(run), { ended: true });
  return run;
}

export async function keepOutcome(home: string, test: string, outcome: Outcome): Promise<void> {
  const name = records.outcome(outcome.pipeline, outcome.run, test, outcome.repeat, outcome.attempt);
  await storeIn(home).create(name, outcome);
}

export async function actionsIn(home: string): Promise<readonly unknown[]> {
  const names = await storeIn(home).list(records.testActions(CHAIN));
  return Promise.all(names.map((name) => storeIn(home).read(name)));
}
