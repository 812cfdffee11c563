import { counted } from '../../model/counted.js';
import type { Params } from '../../model/params.js';
import { reportName, type Reporter, type ReporterKind } from '../../model/tests/reporter.js';
import type { Body, Made, Work } from '../work.js';
import { reportIssues } from './issues.js';
import { rowsOf } from './table-rows.js';
import type { ReportPorts } from './ports.js';
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
