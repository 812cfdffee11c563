import type { Digest } from './digest.js';
import type { Finding } from './finding.js';
import type { RunId, StepId } from './ids.js';
import type { KindName } from './kinds.js';
import type { StageId } from './stages.js';

/** One thing that stands in a target: `facts.published` of a publish step is a list of these. */
export interface Published {
  /** File name, Maven path or `repository:tag`. */
  readonly name: string;
  readonly digest: Digest;
  /** Where it answers, without credentials; for an image what `docker pull` takes. */
  readonly url: string;
}

/** What one step made and no passed test ran: built, looked into, and not more than that. */
export interface NotRun {
  readonly step: StepId;
  readonly names: readonly string[];
  readonly because: string;
}

/** A step that did not happen because a person said so, or because of one that they left out. */
export interface LeftOut {
  readonly id: StepId;
  readonly because: string;
}

export interface ReportStep {
  readonly id: StepId;
  readonly kind: KindName;
  readonly stage: StageId;
  /** `cached`: made by an earlier run. `none`: no result; it failed, was skipped, or was cancelled. */
  readonly outcome: 'done' | 'cached' | 'none';
  readonly ms: number;
  readonly note: string;
}

/** Targets of a rehearsal that the control worker checked before it published. */
export interface Rehearsed {
  /** Targets of the plan. */
  readonly targets: number;
  /** Hosts of all targets: `127.0.0.1`. */
  readonly hosts: readonly string[];
}

/** Record `runs/<run>/report`, written once by the report step, whatever happened. */
export interface Report {
  readonly slipway: 1;
  readonly release: { readonly name: string; readonly version: string };
  /** Present in the report of a pipeline. */
  readonly pipeline?: true;
  readonly profile: { readonly name: string; readonly rehearsal: boolean };
  readonly run: RunId;
  readonly plan: Digest;
  /** Digest of the sealed manifest; null where the run did not get that far. */
  readonly manifest: Digest | null;
  readonly published: readonly (Published & { readonly target: string; readonly step: StepId })[];
  readonly verified: readonly { readonly target: string; readonly step: StepId; readonly note: string }[];
  readonly pointers: readonly {
    readonly target: string;
    readonly name: string;
    readonly moved: boolean;
    readonly digest: Digest | null;
    readonly note: string;
  }[];
  readonly steps: readonly ReportStep[];
  readonly dropped: readonly { readonly id: StepId; readonly because: string }[];
  /** Sealed products that no passed test ran; absent in reports of older versions. */
  readonly notRun?: readonly NotRun[];
  readonly findings: readonly (Finding & { readonly step: StepId })[];
  /** Only a rehearsal that published has it; older reports do not. */
  readonly rehearsed?: Rehearsed;
}
