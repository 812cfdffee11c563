import type { Problem } from '../../model/failure.js';
import type { StepId } from '../../model/ids.js';
import { ISOLATIONS, type Isolation } from '../../model/isolation.js';
import { KINDS } from '../../model/kinds.js';
import type { Plan } from '../../model/plan.js';
import type { Policy } from '../../model/schema/policy.js';
import type { ReadFile } from '../read/release-file.js';
import { isolationWeaker } from './errors.js';

export interface SealedProduct {
  readonly name: string;
  readonly step: StepId;
  readonly isolation?: Isolation;
}

/** Refuses products whose build had weaker isolation than the policy requires, or an unknown one. */
export function isolationProblems(
  { content: { isolation: asked }, at }: ReadFile<Policy>,
  { steps }: Plan,
  products: readonly SealedProduct[],
): readonly Problem[] {
  if (asked === 'any') return [];
  const ofProject = new Set(steps.filter(({ kind }) => KINDS[kind].runs !== 'own').map(({ id }) => id));
  const isWeaker = ({ step, isolation }: SealedProduct): boolean =>
    isolation === undefined ? ofProject.has(step) : ISOLATIONS.indexOf(isolation) < ISOLATIONS.indexOf(asked);
  const weaker = products.filter(isWeaker).map(({ name, isolation }) => `${name}: ${isolation ?? 'not said'}`);
  return weaker.length === 0 ? [] : [isolationWeaker(at(['isolation']), asked, weaker)];
}
