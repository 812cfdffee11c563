import type { Digest } from './digest.js';
import type { Finding } from './finding.js';
import type { RunId, StepId } from './ids.js';
import type { KindName } from './kinds.js';
import type { StageId } from './stages.js';
import type { Result } from './result.js';

/** A published name. `facts.published` of a publish step is a list of these. */
export interface Published {
  /** File name, Maven path or `repository:tag`. */
  readonly name: string;
  readonly digest: Digest;
  /** Address without credentials. For an image the argument of `docker pull`. */
  readonly url: string;
}

/** Products of a step that no passed test ran. */
export interface NotRun {
  readonly step: StepId;
  readonly names: readonly string[];
  readonly because: string;
}

/** A step that an operator skipped, or that was skipped because of such a step. */
export interface LeftOut {
  readonly id: StepId;
  readonly because: string;
}

export interface ReportStep {
  readonly id: StepId;
  readonly kind: KindName;
  readonly stage: StageId;
  /** `cached`: from an earlier run. `none`: failed, skipped or cancelled. */
  readonly outcome: 'done' | 'cached' | 'none';
  /** It passed after a failure of the product. */
  readonly flaky?: true;
  readonly ms: number;
  readonly note: string;
}

/** Targets of a rehearsal that the control worker checked before publishing. */
export interface Rehearsed {
  readonly targets: number;
  readonly hosts: readonly string[];
}

/** Record `runs/<run>/report`. The report step writes it once, whatever the verdict. */
export interface Report {
  readonly slipway: 1;
  readonly release: { readonly name: string; readonly version: string };
  /** Present in the report of a pipeline. */
  readonly pipeline?: true;
  readonly profile: { readonly name: string; readonly rehearsal: boolean };
  readonly run: RunId;
  readonly plan: Digest;
  /** Digest of the sealed manifest. Null if the run ended before the seal. */
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
  /** Sealed products that no passed test ran. */
  readonly notRun?: readonly NotRun[];
  readonly findings: readonly (Finding & { readonly step: StepId })[];
  /** Present for a rehearsal that published. */
  readonly rehearsed?: Rehearsed;
}

/** Returns the published names in a publish step's facts. Empty for other steps. */
export const publishedBy = (result: Result): readonly Published[] =>
  result.kind === 'publishArtifacts' ? ((result.facts['published'] as readonly Published[] | undefined) ?? []) : [];
