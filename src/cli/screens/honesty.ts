import type { NotRun, Report } from '../../model/report.js';
import { plain, table, type Colours } from '../render/paint.js';

/** What must not be taken for more than it is: products that no test ran, and what was left out, each with its reason.
 * @param most rows of each list; the rest is counted */
export function honestyLines(report: Report, paint: Colours, most = Infinity): string[] {
  return [
    ...section(
      'Built, not run',
      (report.notRun ?? []).map((one) => [shown(one), one.because]),
      paint,
      most,
    ),
    ...section(
      'Dropped',
      report.dropped.map(({ id, because }) => [id, because]),
      paint,
      most,
    ),
  ];
}

/** Files have names of their own; images of several platforms share one. */
const shown = ({ step, names }: NotRun): string => (/^(sdists|wheels|jars)\//.test(step) ? names.join(', ') : step);

function section(title: string, rows: readonly (readonly [string, string])[], paint: Colours, most: number): string[] {
  if (rows.length === 0) return [];
  const lines = table(rows.slice(0, most).map(([what, because]) => [`  ${plain(what)}`, plain(because)]));
  const more = rows.length - most;
  return ['', paint.bold(title), ...lines, ...(more > 0 ? [`  and ${more} more: slipway artifacts`] : [])];
}
