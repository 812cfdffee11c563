import type { BehindSeal } from '../../model/messages.js';
import type { SkeletonStep } from '../../model/plan.js';
import { STAGE_IDS } from '../../model/stages.js';
import type { RunRecord } from '../checkpoint/snapshot.js';
import type { GatePolicyState } from '../gates/gate-policy.js';

/** Steps of later stages act on sealed bytes. */
const SEAL = STAGE_IDS.indexOf('seal');

/** Returns the seal's digest and the nonces of gates, for a step behind the seal. Empty before the seal. They come from
 * history, because a record of the store may be altered. */
export function behindSeal(
  { stage }: Pick<SkeletonStep, 'stage'>,
  { sealed }: Pick<RunRecord, 'sealed'>,
  { openings }: Pick<GatePolicyState, 'openings'>,
): BehindSeal {
  if (sealed === null || STAGE_IDS.indexOf(stage) <= SEAL) return {};
  return { sealed, ...(Object.keys(openings).length > 0 && { openings: { ...openings } }) };
}
