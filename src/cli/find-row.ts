import { rowsNamed, rowsWith } from '../engine/why/rows.js';
import type { StepId } from '../model/ids.js';
import type { Plan } from '../model/plan.js';
import type { Row, Rows } from '../model/rows.js';
import { noSuchStep } from './errors.js';
import { meantStep } from './find-log.js';

/** The subject of a question: a step of the plan, or rows of its imports. */
export type Meant = { readonly step: StepId } | { readonly rows: readonly Row[] };

/** Finds a subject: a whole id, a row by name, a part of an id, a part of a row. Throws NO_SUCH_STEP.
 * @param where for the message */
export function meantBy(said: string, plan: Plan, rows: Rows | null, where: string): Meant {
  const known = [...plan.steps, ...plan.dropped, ...(plan.assumed ?? [])].map(({ id }) => id);
  if (known.includes(said)) return { step: said };
  const named = rows === null ? [] : rowsNamed(rows, said);
  if (named.length > 0) return { rows: named };
  const isPart = known.some((id) => id.includes(said));
  const parts = rows === null || isPart ? [] : rowsWith(rows, said);
  return parts.length > 0 ? { rows: parts } : { step: meantStep(known, said, where, noSuchStep) };
}
