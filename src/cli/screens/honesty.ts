import { makesOf } from '../../model/id-prefixes.js';
import type { NotRun, Report } from '../../model/report.js';
import { plain, type Colours } from '../render/paint.js';

/** Returns the lines about products that no test ran and about left-out variants, grouped by reason.
 * @param most rows of each list; the rest is counted */
export function honestyLines(report: Report, paint: Colours, most = Infinity): string[] {
  const notRun = (report.notRun ?? []).map((one) => ({ name: shown(one), because: one.because }));
  const dropped = report.dropped.map(({ id, because }) => ({ name: id, because }));
  return [...section('Built, not run', notRun, paint, most), ...section('Dropped', dropped, paint, most)];
}

/** Files have names of their own; images of several platforms share one. */
const shown = ({ step, names }: NotRun): string => (makesOf(step) === 'files' ? names.join(', ') : step);

interface Row {
  readonly name: string;
  readonly because: string;
}

function section(title: string, rows: readonly Row[], paint: Colours, most: number): string[] {
  if (rows.length === 0) return [];
  const told = rows.slice(0, most);
  const reasons = [...new Set(told.map(({ because }) => because))];
  return [
    '',
    paint.bold(title),
    ...reasons.flatMap((because) => [
      `  ${plain(because)}`,
      ...told.filter((row) => row.because === because).map(({ name }) => `    ${plain(name)}`),
    ]),
    ...(rows.length > most ? [`  and ${rows.length - most} more: slipway artifacts`] : []),
  ];
}
