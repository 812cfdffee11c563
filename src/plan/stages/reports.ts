import { CONTROL } from '../../model/ids.js';
import type { Dropped } from '../../model/plan.js';
import { Publish } from '../../model/schema/sections/publish.js';
import type { Report } from '../../model/schema/sections/reports.js';
import { SECRET } from '../../model/secret.js';
import type { Reporter } from '../../model/tests/reporter.js';
import type { Context } from '../context.js';
import { problems, type Path } from '../errors.js';
import { plannedStep } from '../planned-step.js';
import type { Made, Stage, PlannedStep } from '../stage.js';
import { targetOf } from '../targets.js';

/** GitHub's own API. An own server has its address in the profile. */
const GITHUB = 'https://api.github.com';

/** Reports the results of tests on clusters, whatever the tests' outcome. A report runs after the standings of the night. */
export const reports: Stage = {
  id: 'report',
  title: 'reporting tests',
  steps: (context, made) => {
    complainOfTrackers(context);
    return Object.entries(context.release.reports)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, report]) => make(name, report, context, made));
  },
};

/** The standing of a test holds the number of one issue. */
function complainOfTrackers(context: Context): void {
  const [first, ...others] = Object.entries(context.release.reports).filter(([, { kind }]) => kind === 'github');
  for (const [name] of others)
    context.needsThat(
      ['reports', name],
      `reports.${first![0]} already keeps the issues of this file, and a test has one issue`,
      `Take reports.${name} or reports.${first![0]} out.`,
    );
}

const testsIn = ({ drafts }: Made): Made['drafts'] => drafts.filter(({ step }) => step.kind === 'runOnCluster');

/** Returns the reports that have nothing to report: every test on a cluster is left out. */
export const idleReports = ({ release }: Context, made: Made): readonly Dropped[] =>
  Object.keys(testsIn(made).length === 0 ? release.reports : {}).map((name) => ({
    id: `reports/${name}`,
    because: 'every test on a cluster is left out',
  }));

function make(name: string, report: Report, context: Context, made: Made): readonly PlannedStep[] {
  const tests = testsIn(made);
  const folds = made.drafts.filter(({ step }) => step.kind === 'keepStandings');
  if (!Object.values(context.release.tests).some((test) => 'cluster' in test) && !context.failed)
    context.needsThat(
      ['reports', name],
      'no test of this file runs on a cluster, and only such tests are reported',
      'Name a cluster in an entry of `tests:` (`cluster: NAME`), or take this report out.',
    );
  const step = plannedStep('reportTests', {
    id: `reports/${name}`,
    on: CONTROL,
    after: (folds.length > 0 ? folds : tests).map(({ step: one }) => one.id),
    params: paramsOf(name, report, context),
    timeout: report.timeout,
    retry: report.retry,
  });
  return tests.length === 0 ? [] : [step];
}

function paramsOf(name: string, report: Report, context: Context): Reporter {
  const path: Path = ['reports', name];
  const address = context.profile.reports[name]?.address;
  switch (report.kind) {
    case 'rows':
      return { kind: 'rows', target: bucketOf(report.to, [...path, 'to'], context) };
    case 'github': {
      const { repository, token, blocker = null } = report;
      const branch = branchOf(path, context);
      return { kind: 'github', address: (address ?? GITHUB).replace(/\/+$/, ''), repository, token, blocker, branch };
    }
    case 'postgres':
      if (address === undefined || !SECRET.test(address)) context.complain(noServer(name, path, address, context));
      return { kind: 'postgres', url: address ?? '', table: report.table };
    default:
      return report satisfies never;
  }
}

/** The file of a run is RUN.jsonl in the folder of pipeline and label. */
const bucketOf = (to: string, path: Path, context: Context) =>
  targetOf(to, Publish.parse({ kind: 's3', path: `${context.name}/${context.version}/{file}` }), context, path);

function branchOf(path: Path, context: Context): string {
  const { standings } = context.release;
  if (standings === undefined)
    context.needsThat(
      [...path, 'kind'],
      'issues follow the standings of tests, and this file has none',
      'Write `standings: { branch: main }`, or take this report out.',
      'value',
    );
  return standings?.branch ?? '';
}

const noServer = (name: string, path: Path, address: string | undefined, context: Context) =>
  problems.needsThat(
    context.at(path, 'key'),
    address === undefined
      ? `profile "${context.facts.profile.name}" has no address for the database of reports.${name}`
      : `the address of reports.${name} in profile "${context.facts.profile.name}" is no reference; it holds a password`,
    `Write \`reports: { ${name}: { address: $NAME } }\` into the profile's file.`,
  );
