import type { Digest } from './digest.js';
import type { FailureClass } from './failure.js';
import type { GateRules } from './gate.js';
import type { Axes, Queue, RunHead, StepId } from './ids.js';
import type { KindName } from './kinds.js';
import type { Listener, RemindTimes } from './listener.js';
import type { Params, SourceRef } from './params.js';
import type { TargetKind } from './target.js';
import type { Service } from './outage.js';
import type { NoCache } from './reuse.js';
import type { StageId } from './stages.js';
import type { Slots, UnservedQueue } from './worker.js';

/** Retries before a step has failed for good, for each failure class that allows them. */
export interface RetryPolicy {
  /** Further tries after the first. */
  readonly times: number;
  readonly waitMs: number;
  /** Upper end of a range. The wait is drawn evenly between `waitMs` and this. */
  readonly waitToMs?: number;
  readonly atMostMs: number;
}

/** Failure classes that a release file may give to the end of a command. */
export const RULED_CLASSES = ['product', 'infra', 'config', 'denied'] as const satisfies readonly FailureClass[];
export type RuledClass = (typeof RULED_CLASSES)[number];

/** Rules of the release file, which come before the table of failure patterns. */
export interface FailureRules {
  /** By exit status. */
  readonly exit?: Readonly<Record<string, RuledClass>>;
  /** By what a line of the last output holds; first match wins. */
  readonly lines?: readonly { readonly match: string; readonly class: RuledClass }[];
}

export interface Unserved {
  readonly answer: 'wait' | 'drop' | 'fail';
  /** Limit of a wait. Absent if there is none. */
  readonly limitMs?: number;
  /** The key that says so: `platforms.macos-arm64`. */
  readonly said: string;
}

export interface StepOf<K extends KindName> {
  readonly id: StepId;
  readonly kind: K;
  readonly stage: StageId;
  readonly on: Queue;
  readonly axes: Axes;
  readonly params: Params[K];
  /** Starts when it succeeded; its bytes are used. Skipped or dropped: this one too. */
  readonly needs: readonly StepId[];
  /** Starts when it succeeded, or was skipped or dropped with a reason. Failed: this one is skipped. */
  readonly wants: readonly StepId[];
  /** Starts when it ended, however it ended. */
  readonly after: readonly StepId[];
  /** Prefixes of bundle files that the step reads (`['']` is all of them); part of its key. */
  readonly files: readonly string[];
  /** The release file's own epoch of it; absent where nothing was said. Part of its key. */
  readonly epoch?: number;
  /** The `proveQueue` step whose toolchain is part of the key; null for steps whose bytes no tool makes. */
  readonly toolchain: StepId | null;
  readonly limitMs: number;
  /** The release file's answer where nobody serves the queue; absent: the plan is refused. */
  readonly unserved?: Unserved;
  readonly retry: {
    readonly infra: RetryPolicy;
    readonly lost: RetryPolicy;
    /** Limit of the wait for a service that does not answer, if the release file sets one. */
    readonly outageMs?: number;
  } & FailureRules;
}
export type Step = { [K in KindName]: StepOf<K> }[KindName];

export interface Dropped {
  readonly id: StepId;
  readonly because: string;
  /** The step, if it was planned before it was left out. The list of products names its tests. */
  readonly was?: Pick<Step, 'kind' | 'on' | 'axes' | 'needs'>;
}

export interface BundleFile {
  /** Relative to the release file's folder, `/` between parts. */
  readonly path: string;
  readonly digest: Digest;
  readonly size: number;
  readonly executable: boolean;
}

/** A change outside that running the plan makes. Effects are listed in their order. */
export interface Effect {
  readonly step: StepId;
  readonly target: string;
  readonly kind: TargetKind;
  /** The name that will appear or move: a file-name pattern, a coordinate, a tag. */
  readonly name: string;
  readonly what: 'publish' | 'move pointer';
  /** `yank`, `delete`, `deprecate` …, or `irrevocable`. */
  readonly undo: string;
}

/** Variables for the tags of images. They are part of the plan, so that no tag depends on a clock or an environment. */
export interface TagVariables {
  /** The schedule that started the release: `nightly`. */
  readonly schedule?: string;
  /** Id of the build that it belongs to. */
  readonly build?: string;
  /** Number of a pull request. */
  readonly pull?: string;
}

/** What a person gave to planning besides the release file. */
export interface Given extends TagVariables {
  /** Label of a pipeline, in place of the one that its file names. */
  readonly label?: string;
}

/** The whole graph of steps. Immutable JSON named by its digest; the same on any machine. */
export interface Plan {
  readonly slipway: 1;
  /** Name and version of a release, name and label of a pipeline. */
  readonly release: { readonly name: string; readonly version: string };
  /** Present in the plan of a pipeline. */
  readonly pipeline?: true;
  /** Present if workers without a sandbox may carry the release out. */
  readonly isolation?: 'none';
  readonly source: SourceRef & { readonly branch: string | null };
  readonly profile: { readonly name: string; readonly rehearsal: boolean };
  /** Further tries that all steps together may take, where the release file says so. */
  readonly retries?: number;
  readonly bundle: readonly BundleFile[];
  /** Absent where nothing was said. */
  readonly given?: Given;
  readonly steps: readonly Step[];
  readonly dropped: readonly Dropped[];
  readonly effects: readonly Effect[];
  /** Listeners of the run. Absent if there are none. */
  readonly notify?: { readonly listeners: readonly Listener[]; readonly remind: RemindTimes };
}

/** The part of a plan that history holds: integers for edges, and nothing that grows with parameters. */
export interface Skeleton extends RunHead {
  readonly plan: Digest;
  readonly steps: readonly SkeletonStep[];
  readonly dropped: readonly Omit<Dropped, 'was'>[];
  /** Listeners and their events. Absent if nobody listens to this run. */
  readonly notify?: {
    readonly listeners: readonly Pick<Listener, 'name' | 'on'>[];
    readonly remind: RemindTimes;
  };
  /** Queues that nobody served when the plan was taken up. */
  readonly unserved?: readonly UnservedQueue[];
  /** Further tries that all steps together may take, where the release file says so. */
  readonly retries?: number;
  /** Known work is looked up in bulk, before steps are given to their queues. */
  readonly reuse?: true;
  /** Steps that nothing is looked up for; absent: none. */
  readonly noCache?: NoCache;
  /** Slots of the workers that there were when the plan was taken up. */
  readonly slots?: Slots;
  /** Steps that may be under way at once, per queue; where slots are known, those decide. */
  readonly windows: Readonly<Record<Queue, number>>;
}
export interface SkeletonStep {
  readonly id: StepId;
  readonly kind: KindName;
  readonly stage: StageId;
  readonly on: Queue;
  readonly needs: readonly number[];
  readonly wants: readonly number[];
  readonly after: readonly number[];
  readonly limitMs: number;
  /** Expected duration, if known. The longest path is measured in it. */
  readonly expectedMs?: number;
  /** Limit of the wait for a worker, if the release file sets one. */
  readonly waitMs?: number;
  readonly retry: Step['retry'];
  /** Services that it is known to need besides the store; more are learned from its failures. */
  readonly services?: readonly Service[];
  /** The rules of a gate. */
  readonly gate?: GateRules;
}

interface Edges {
  readonly needs: readonly unknown[];
  readonly wants: readonly unknown[];
  readonly after: readonly unknown[];
}
/** Waits for others to end, and for nothing else: reports, what tidies up. Such a step runs in a cancelled run, too. */
export const isAfterOnly = ({ needs, wants, after }: Edges): boolean =>
  needs.length === 0 && wants.length === 0 && after.length > 0;

/** The head of a plan's runs. */
export const headOf = ({ release, profile, pipeline }: Pick<Plan, 'release' | 'profile' | 'pipeline'>): RunHead => ({
  ...{ name: release.name, version: release.version, rehearsal: profile.rehearsal },
  ...(pipeline && { pipeline }),
});
