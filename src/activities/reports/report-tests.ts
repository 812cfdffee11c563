import { counted } from '../../model/counted.js';
import type { JsonObject } from '../../model/json.js';
import type { Params } from '../../model/params.js';
import { records } from '../../model/run-folder.js';
import type { Outcome } from '../../model/tests/outcome.js';
import { rayRow } from '../../model/tests/ray-row.js';
import { reportName, type Reporter, type ReporterKind } from '../../model/tests/reporter.js';
import { readOutcomes } from '../read-outcomes.js';
import type { Body, Made, Work } from '../work.js';
import { reportIssues } from './issues.js';
import type { ReportPorts, TableRow } from './ports.js';
import { writeRows } from './rows.js';

type ReportWork = Work<'reportTests'>;
type Of<K extends ReporterKind> = Extract<Reporter, { kind: K }>;

/** Reports the run's tests to one place. A second attempt finds what the first one wrote, and adds the rest. */
export const createReportTests =
  (ports: ReportPorts): Body<'reportTests'> =>
  async (work) => {
    const reporter: Params['reportTests'] = work.step.params;
    switch (reporter.kind) {
      case 'rows':
        return withRows(work, (rows) => writeRows(work, reporter.target, rows, ports));
      case 'github':
        return reportIssues(work, reporter, ports);
      case 'postgres':
        return withRows(work, async (rows) => rows.length - (await addRows(work, reporter, rows, ports)));
      default:
        return reporter satisfies never;
    }
  };

type Rows = Awaited<ReturnType<typeof rowsOf>>['rows'];

/** @param write returns how many rows existed */
async function withRows(work: ReportWork, write: (rows: Rows) => Promise<number>): Promise<Made> {
  const { rows, unreadable } = await rowsOf(work);
  if (unreadable > 0) work.log.note(`${counted(unreadable, 'record')} under outcomes/ could not be read`);
  const existed = rows.length === 0 ? 0 : await write(rows);
  const facts = { reported: rows.length, existed };
  const note = existed > 0 && existed === rows.length ? ', all of them reported before' : '';
  return { artifacts: [], facts, note: `${counted(rows.length, 'row')}${note}`, reused: note !== '' };
}

async function addRows(
  work: ReportWork,
  { url, table }: Of<'postgres'>,
  rows: Rows,
  ports: ReportPorts,
): Promise<number> {
  const into = { name: reportName(work.step.id), url: await work.secret(url), table, signal: work.signal };
  return work.effect(() => ports.tables.add(into, rows));
}

/** Returns a row for each attempt of the run's tests, sorted by name. Records that are no outcome of the run are left out and counted. */
async function rowsOf({
  plan,
  run,
  store,
}: Pick<Work, 'plan' | 'run' | 'store'>): Promise<{ readonly rows: readonly TableRow[]; readonly unreadable: number }> {
  const read = await readOutcomes(store, records.outcomes(plan.release.name, run));
  const own = read.outcomes.filter(({ outcome }) => outcome.run === run);
  return {
    rows: own.map(({ name, outcome }) => rowOf(name, outcome)),
    unreadable: read.unreadable + read.outcomes.length - own.length,
  };
}

/** The 20 fields of Ray's row, and ours. @param name `TEST/REPEAT-ATTEMPT` */
function rowOf(name: string, outcome: Outcome): TableRow {
  const { pipeline, label, profile, run, step, repeat, attempt, at, code, phase, exit, message } = outcome;
  const ours: JsonObject = {
    ...{ pipeline, label, profile, run, step, test: name.split('/')[0]!, repeat, attempt, at },
    ...{ code, class: outcome.class, phase, exit, message, owner: outcome.owner },
    nodes_seen: outcome.nodes.seen,
    nodes_lost: outcome.nodes.lost.map(({ node, atMs }) => ({ node, at_ms: atMs })),
    tested: outcome.tested.map(({ name: file, digest }) => ({ name: file, digest })),
  };
  return { key: `${run}/${name}`, row: { ...rayRow(outcome), ...ours } };
}
