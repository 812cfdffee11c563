import type { BehindSeal } from '../model/messages.js';
import type { SkeletonStep } from '../model/plan.js';
import type { StageId } from '../model/stages.js';
import type { RunState } from './carry.js';
import type { GatehouseState } from './gatehouse.js';

/** Stages whose steps act on what is sealed. */
const STAGES: ReadonlySet<StageId> = new Set(['attest', 'gates', 'publish', 'verify', 'point', 'announce', 'report']);

/** Returns what a step behind the seal gets to know of it. Empty before the seal. A record of the store may be altered: only
 * history holds the digest. */
export function behindSeal(
  { stage }: Pick<SkeletonStep, 'stage'>,
  { sealed }: Pick<RunState, 'sealed'>,
  { openings }: Pick<GatehouseState, 'openings'>,
): BehindSeal {
  if (sealed === null || !STAGES.has(stage)) return {};
  return { sealed, ...(Object.keys(openings).length > 0 && { openings: { ...openings } }) };
}
