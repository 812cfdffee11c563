import { grouped } from '../../model/grouped.js';
import { makesOf } from '../../model/id-prefixes.js';
import type { NotRun, Report } from '../../model/report.js';
import { first, plain, section, type Colours } from '../render/paint.js';

/** Returns the lines about products that no test ran and about left-out variants, grouped by reason.
 * @param most rows of each list; the rest is counted */
export function honestyLines(report: Report, paint: Colours, most = Infinity): string[] {
  const notRun = (report.notRun ?? []).map((one) => ({ name: shown(one), because: one.because }));
  const dropped = report.dropped.map(({ id, because }) => ({ name: id, because }));
  return [
    ...section(paint.bold('Built, not run'), first(notRun, most, byReason, 'slipway artifacts')),
    ...section(paint.bold('Dropped'), first(dropped, most, byReason, 'slipway artifacts')),
  ];
}

/** Files have names of their own; images of several platforms share one. */
const shown = ({ step, names }: NotRun): string => (makesOf(step) === 'files' ? names.join(', ') : step);

interface Row {
  readonly name: string;
  readonly because: string;
}

const byReason = (rows: readonly Row[]): readonly string[] =>
  [...grouped(rows, ({ because }) => because)].flatMap(([because, alike]) => [
    `  ${plain(because)}`,
    ...alike.map(({ name }) => `    ${plain(name)}`),
  ]);
