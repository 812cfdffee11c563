import type { Problem } from '../../model/failure.js';
import type { JsonObject } from '../../model/json.js';
import type { Exit } from '../ports.js';
import { expectedLineAbsent, resultAbsent, testFailed, testTimedOut } from './errors.js';

export interface Ended {
  readonly step: string;
  readonly exit: Exit;
  readonly limitMs: number;
  readonly expect: string | null;
  readonly lineSeen: boolean;
  readonly result: string | null;
  readonly resultThere: boolean;
  readonly lastLines: readonly string[];
  /** Details of the failure: the files that were kept. */
  readonly details: JsonObject;
}

/** Returns null if the test passed. Status 0 alone is no pass if a line or a file is expected. */
export function judge(ended: Ended): Problem | null {
  const { step, exit, expect, result, lastLines, details } = ended;
  if (exit.timedOut) return testTimedOut(step, ended.limitMs, lastLines, details);
  if (exit.code !== 0) return testFailed(step, exit.code, lastLines, details);
  if (expect !== null && !ended.lineSeen) return expectedLineAbsent(step, expect, lastLines, details);
  if (result !== null && !ended.resultThere) return resultAbsent(step, result, lastLines, details);
  return null;
}
