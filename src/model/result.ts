import type { Artifact } from './artifact.js';
import type { Digest } from './digest.js';
import type { Finding } from './finding.js';
import type { RunId, StepId } from './ids.js';
import type { Isolation } from './isolation.js';
import type { JsonObject } from './json.js';
import type { KindName } from './kinds.js';

/** Result of a step. The record is create-once: the first writer wins, and later writers adopt it. */
export interface Result {
  readonly step: StepId;
  readonly kind: KindName;
  /** Digest of everything that can change this result. */
  readonly key: Digest;
  readonly artifacts: readonly Artifact[];
  /** Deterministic values for later steps, never times or paths. */
  readonly facts: JsonObject;
  readonly findings: readonly Finding[];
  /** One line for people: "manylinux_2_34_x86_64, 61 files". */
  readonly note: string;
  readonly made: {
    readonly run: RunId;
    readonly attempt: number;
    /** ISO 8601. */
    readonly at: string;
    readonly ms: number;
    readonly worker: string;
    /** Weakest isolation of all its programs. Absent if it ran no program of the project. */
    readonly isolation?: Isolation;
    /** True if the attempt only verified an earlier result. */
    readonly reused?: true;
    /** An earlier attempt of the run failed by the product. */
    readonly flaky?: true;
  };
}
