import type { FailureClass } from '../failure.js';
import type { TestPhase } from './outcome.js';

export interface ClusterEnd {
  readonly phase: TestPhase;
  readonly class: FailureClass;
  /** The exit code of Ray's own release tests for the same end. */
  readonly ray: number;
}

/** Ways in which a test on a cluster ends without a pass. */
export const CLUSTER_ENDS = {
  WORKING_FOLDER_MISSING: { phase: 'setUp', class: 'config', ray: 11 },
  CLUSTER_REFUSED: { phase: 'cluster', class: 'config', ray: 13 },
  CLUSTER_FAILED: { phase: 'cluster', class: 'infra', ray: 15 },
  CLUSTER_BUSY: { phase: 'cluster', class: 'infra', ray: 13 },
  CLUSTER_SILENT: { phase: 'cluster', class: 'infra', ray: 19 },
  CLUSTER_NOT_UP: { phase: 'cluster', class: 'infra', ray: 32 },
  NODES_MISSING: { phase: 'nodes', class: 'infra', ray: 33 },
  FILES_NOT_PUT: { phase: 'prepare', class: 'infra', ray: 17 },
  PREPARE_FAILED: { phase: 'prepare', class: 'product', ray: 43 },
  PREPARE_TIMED_OUT: { phase: 'prepare', class: 'infra', ray: 33 },
  TEST_FAILED: { phase: 'run', class: 'product', ray: 40 },
  TEST_TIMED_OUT: { phase: 'run', class: 'product', ray: 42 },
  CLUSTER_GONE: { phase: 'run', class: 'infra', ray: 19 },
  JOB_REFUSED: { phase: 'run', class: 'infra', ray: 19 },
  RESULT_ABSENT: { phase: 'results', class: 'product', ray: 18 },
  RESULT_NOT_JSON: { phase: 'results', class: 'product', ray: 18 },
  RESULT_TOO_BIG: { phase: 'results', class: 'product', ray: 18 },
  RESULT_NOT_FETCHED: { phase: 'results', class: 'infra', ray: 18 },
  ALERT: { phase: 'alerts', class: 'product', ray: 41 },
} as const satisfies Readonly<Record<string, ClusterEnd>>;
export type ClusterEndCode = keyof typeof CLUSTER_ENDS;

/** Returns phase and Ray's number of an end, as details of its problem. */
export const endDetails = (code: ClusterEndCode): { readonly phase: TestPhase; readonly ray: number } => ({
  phase: CLUSTER_ENDS[code].phase,
  ray: CLUSTER_ENDS[code].ray,
});
