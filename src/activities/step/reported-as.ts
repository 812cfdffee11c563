import type { Problem } from '../../model/failure.js';
import type { Step } from '../../model/plan.js';
import type { Reached } from './confine.js';
import { problemsOf } from './failures.js';
import { offline } from './offline.js';
import type { StepLog } from './ports.js';

/** Returns the problems of a failed attempt as the run reports them, whatever was thrown.
 * @param root the worker's home, which no message shows */
export const reportedAs = (
  error: unknown,
  log: StepLog,
  root: string,
  { id, retry }: Pick<Step, 'id' | 'retry'>,
  reached: Reached,
): readonly Problem[] => offline(problemsOf(error, log, root, retry), id, reached);
