import type { ImageRunner } from '../verify/ports.js';
import type { Targets } from './target.js';

/** All that publishing, verifying, pointing and proving ask of the outside. */
export interface PublishPorts {
  readonly targets: Targets;
  /** Null on a worker without a Docker engine: images are then compared, not run. */
  readonly images: ImageRunner | null;
  /** Milliseconds between looks at what was just uploaded; absent: `READ_BACK_WAITS_MS`. */
  readonly readBackWaitsMs?: readonly number[];
  /** How long a proof that we may publish holds, in milliseconds; absent: ten minutes. */
  readonly proofHoldsMs?: number;
}

export type { Origin } from '../../engine/ledger/newest-commit.js';
export type {
  Connection,
  Credential,
  Found,
  Item,
  Observed,
  PointerTarget,
  PublishTarget,
  Session,
  Source,
  Targets,
} from './target.js';
