import type { CorePorts } from '../activities/kind-bodies.js';
import type { Answering } from '../activities/plan/ports.js';
import type { StepContext } from '../activities/step/ports.js';
import type { Body } from '../activities/work.js';
import type { OpenTarget } from '../adapters/targets.js';
import type { FEATURE_KINDS } from '../features/kinds.js';
import type { Finding } from '../model/finding.js';
import type { KindName } from '../model/kinds.js';
import type { RunStatus } from '../model/messages.js';
import type { Plan } from '../model/plan.js';
import type { DoctorCheck } from '../services/doctor/check.js';

type Lists = typeof FEATURE_KINDS;
/** Kinds of steps in the `kinds.ts` of a feature. */
type KindsOf<F, L> = F extends keyof L
  ? L[F] extends { readonly kinds: infer Rows }
    ? keyof Rows & KindName
    : never
  : never;
/** Kinds of targets in it. */
type TargetsOf<F, L> = F extends keyof L ? (L[F] extends { readonly targets: infer Rows } ? keyof Rows : never) : never;
type Activities = Readonly<Record<string, (input: never) => Promise<unknown>>>;

interface Capabilities extends Answering {
  /** Returns a body for each kind of the feature. Called once for each worker. */
  bodies?(ports: CorePorts): object;
  /** Opens targets, by kind. */
  readonly targets?: Readonly<Record<string, OpenTarget>>;
  /** Further activities. `control`: beside the steps of that queue. `watches`: they wait for hours, and use no slot of steps.
   * They send their own heartbeats. */
  readonly activities?: { control?(around: StepContext): Activities; watches?(around: StepContext): Activities };
  /** Called once the status of a run is stored. A rejection becomes a finding. */
  ended?(plan: Plan, status: RunStatus, around: StepContext): Promise<readonly Finding[]>;
  /** Checks of `slipway doctor`. */
  readonly doctor?: readonly DoctorCheck[];
}

/** Exports of the `node.ts` of feature `F`. It must have a body for each kind of steps, and open each kind of targets. */
export type FeatureNode<F = string, L = Lists> = Capabilities &
  ([KindsOf<F, L>] extends [never]
    ? unknown
    : { bodies(ports: CorePorts): { readonly [K in KindsOf<F, L>]: Body<K> } }) &
  ([TargetsOf<F, L>] extends [never] ? unknown : { readonly targets: Readonly<Record<TargetsOf<F, L>, OpenTarget>> });

export type FeatureNodes = Readonly<Record<string, FeatureNode>>;
/** `FEATURE_NODES`: each feature with kinds of steps or of targets is in it. */
export type NodeList<L = Lists> = FeatureNodes & {
  readonly [F in keyof L as [KindsOf<F, L> | TargetsOf<F, L>] extends [never] ? never : F]: FeatureNode<F, L>;
};
