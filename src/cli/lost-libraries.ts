import type { RunId } from '../model/ids.js';
import type { Report } from '../model/report.js';
import { records } from '../model/run-folder.js';
import type { Ports } from './ports.js';

/** Whether a run of a pipeline made a base that lacks libraries of the former one. Its rows were judged before that, so another
 * run builds the listed wheels that link them. A run that is under way has no report. */
export async function hasLostLibraries(run: RunId, ports: Ports): Promise<boolean> {
  const report = await (await ports.store()).read<Report>(records.report(run));
  if (report?.pipeline !== true) return false;
  const made = new Set(report.steps.filter(({ outcome }) => outcome === 'done').map(({ id }) => id));
  return report.findings.some(({ code, step }) => code === 'ABI_MOVED' && made.has(step));
}
