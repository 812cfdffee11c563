import type { ListingPorts } from '../index/ports.js';
import type { ImageContainers } from '../tests/ports.js';
import type { ImageRunner } from '../verify/ports.js';
import type { RunId } from '../../model/ids.js';
import type { Targets } from './target.js';

export interface PublishPorts {
  readonly targets: Targets;
  /** For static indexes. Absent where there are none. */
  readonly listing?: ListingPorts;
  /** Null without a Docker engine: images are then compared, but not run. */
  readonly images: ImageRunner | null;
  /** Runs the installers of a static index in a base. Absent without a Docker engine. */
  readonly containers?: ImageContainers | null;
  /** Returns the run that is open under a workflow id. Null if none is. Absent without a Temporal server. */
  readonly openRun?: (workflowId: string) => Promise<RunId | null>;
  /** Milliseconds between reads after an upload. Default: `READ_BACK_WAITS_MS`. */
  readonly readBackWaitsMs?: readonly number[];
  /** Validity of a proof that Slipway may publish, in milliseconds. Default: ten minutes. */
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
