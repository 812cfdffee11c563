import type { Problem } from '../../model/failure.js';
import type { JsonObject } from '../../model/json.js';
import type { Exit } from '../ports.js';
import { expectedLineAbsent, resultAbsent, testFailed, testTimedOut } from './errors.js';

/** What is known of a test that has ended. */
export interface Ended {
  readonly step: string;
  readonly exit: Exit;
  readonly limitMs: number;
  readonly expect: string | null;
  /** The expected line stood in the output. */
  readonly lineSeen: boolean;
  readonly result: string | null;
  readonly resultThere: boolean;
  readonly lastLines: readonly string[];
  /** For the failure: what was kept all the same. */
  readonly details: JsonObject;
}

/** Null where the test passed; status 0 alone is not a pass when more was promised. */
export function judge(ended: Ended): Problem | null {
  const { step, exit, expect, result, lastLines, details } = ended;
  if (exit.timedOut) return testTimedOut(step, ended.limitMs, lastLines, details);
  if (exit.code !== 0) return testFailed(step, exit.code, lastLines, details);
  if (expect !== null && !ended.lineSeen) return expectedLineAbsent(step, expect, lastLines, details);
  if (result !== null && !ended.resultThere) return resultAbsent(step, result, lastLines, details);
  return null;
}
