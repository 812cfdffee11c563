import type { BehindSeal } from '../../model/messages.js';
import type { SkeletonStep } from '../../model/plan.js';
import type { StageId } from '../../model/stages.js';
import type { RunRecord } from '../checkpoint/snapshot.js';
import type { GatePolicyState } from '../gates/gate-policy.js';

/** Stages whose steps act on sealed bytes. */
const STAGES: ReadonlySet<StageId> = new Set(['attest', 'gates', 'publish', 'verify', 'point', 'announce', 'report']);

/** Returns the seal's digest and the nonces of gates, for a step behind the seal. Empty before the seal. They come from
 * history, because a record of the store may be altered. */
export function behindSeal(
  { stage }: Pick<SkeletonStep, 'stage'>,
  { sealed }: Pick<RunRecord, 'sealed'>,
  { openings }: Pick<GatePolicyState, 'openings'>,
): BehindSeal {
  if (sealed === null || !STAGES.has(stage)) return {};
  return { sealed, ...(Object.keys(openings).length > 0 && { openings: { ...openings } }) };
}
