import type { Pool } from './tests/cluster.js';
import type { Digest } from './digest.js';
import type { FailureClass } from './failure.js';
import type { Finding } from './finding.js';
import type { GateRules } from './gate.js';
import type { Axes, Queue, RunHead, StepId } from './ids.js';
import type { KindName } from './kinds.js';
import type { Listener, RemindTimes } from './listener.js';
import type { Params, SourceRef } from './params.js';
import type { Infer } from './schema/infer.js';
import type * as schema from './schema/plan.js';
import type { TargetKind } from './target-kinds.js';
import type { Service } from './outage.js';
import type { NoCache } from './reuse.js';
import type { StageId } from './stages.js';
import type { Slots, UnservedQueue } from './worker.js';

export type RetryPolicy = Infer<typeof schema.Retry>;

/** Failure classes that a release file may assign to a failed command. */
export const RULED_CLASSES = ['product', 'infra', 'config', 'denied'] as const satisfies readonly FailureClass[];
export type RuledClass = (typeof RULED_CLASSES)[number];

/** Rules of the release file. They take precedence over the table of failure patterns. */
export interface FailureRules {
  readonly exit?: Readonly<Record<string, RuledClass>>;
  /** Patterns for the last lines of output; the first match wins. */
  readonly lines?: readonly { readonly match: string; readonly class: RuledClass }[];
}

export interface Unserved {
  readonly answer: 'wait' | 'drop' | 'fail';
  readonly limitMs?: number;
  /** The key of the release file that says so: `platforms.macos-arm64`. */
  readonly said: string;
}

export interface StepOf<K extends KindName> {
  readonly id: StepId;
  readonly kind: K;
  readonly stage: StageId;
  readonly on: Queue;
  readonly axes: Axes;
  readonly params: Params[K];
  /** The `fetchSource` step of its own source. Absent: the source of the plan. */
  readonly source?: StepId;
  /** Starts when it succeeded, and reads its artifacts. If it was skipped or dropped, so is this step. */
  readonly needs: readonly StepId[];
  /** Starts when it succeeded, or was skipped or dropped with a reason. If it failed, this step is skipped; after a
   * failure with `onFailure: tell` it starts, unless its kind relies on all that it wants. */
  readonly wants: readonly StepId[];
  /** Starts when it ended, whatever its outcome. */
  readonly after: readonly StepId[];
  /** Prefixes of bundle files that the step reads, part of its key. `['']` means all files. */
  readonly files: readonly string[];
  /** The step's epoch in the release file, part of its key. Absent without one. */
  readonly epoch?: number;
  /** The `proveQueue` step that pins its tools, which are part of the key. Null if no tool makes the bytes. */
  readonly toolchain: StepId | null;
  /** Tools and Pythons of the queue that it uses, sorted. Absent without a toolchain, and in plans of an earlier version: it uses all of the queue. */
  readonly uses?: { readonly tools: readonly string[]; readonly pythons: readonly string[] };
  /** Runs in each run, although its kind is `pure`. No part of its key. Absent: the rule of its kind. */
  readonly cache?: 'always';
  /** Places that it shares with the other variants of its entry. No part of its key. Absent: `parallel` is absent. */
  readonly pool?: Pool;
  readonly limitMs: number;
  /** The release file's rule for an unserved queue. Absent: the plan is refused. */
  readonly unserved?: Unserved;
  /** Absent: a step that failed for good is held. `tell`: the failure is reported, and the step has failed. `stop`: the
   * same, and the other steps of its entry are stopped. */
  readonly onFailure?: 'tell' | 'stop';
  /** Why a failure of this step is tolerated: it is then left out with this reason. */
  readonly tolerate?: string;
  readonly retry: {
    readonly infra: RetryPolicy;
    readonly lost: RetryPolicy;
    /** Absent: a failure of the product is not retried. */
    readonly product?: RetryPolicy;
    /** Limit of the wait for a service that is down, if the release file sets one. */
    readonly outageMs?: number;
  } & FailureRules;
}
export type Step = { [K in KindName]: StepOf<K> }[KindName];

/** Returns the pool of which an attempt of the step holds a place. A test on a cluster names it in its parameters, which
 * keys and signed plans hold. Null without one. */
export const poolOf = ({ pool, params }: Step): Pool | null => pool ?? ('pool' in params ? params.pool : null);

export interface Dropped {
  readonly id: StepId;
  readonly because: string;
  /** The step as planned before it was dropped. The list of products names its tests. */
  readonly was?: Pick<Step, 'kind' | 'on' | 'axes' | 'needs'>;
}

export interface BundleFile {
  /** Relative to the release file's folder, `/` between parts. */
  readonly path: string;
  readonly digest: Digest;
  readonly size: number;
  readonly executable: boolean;
}

/** A change outside the run's own records. Effects are listed in their order. */
export interface Effect {
  readonly step: StepId;
  readonly target: string;
  readonly kind: TargetKind;
  /** The name to create or move: a file-name pattern, a coordinate or a tag. */
  readonly name: string;
  readonly what: 'publish' | 'move pointer';
  /** `yank`, `delete`, `deprecate` …, or `irrevocable`. */
  readonly undo: string;
}

/** An entry that is left out and counts as done for entries that need it. An operator's `skip` is something else. */
export interface AssumedDone {
  /** `steps/prepare` */
  readonly id: StepId;
  readonly because: string;
  /** Entries that need it: `steps/ship`. All that the command or `when` leaves out is listed, needed or not. */
  readonly neededBy: readonly StepId[];
}

/** An entry that is planned although no path that it names changed: others read its files. */
export interface KeptEntry {
  /** `wheels/skiff` */
  readonly id: StepId;
  /** Why it would have been left out. */
  readonly because: string;
  /** Entries and targets that read its files: `tests/sail`, `publish/pypi`. */
  readonly readBy: readonly StepId[];
  /** Items of the entry with other names: `prepare/skiff`. Absent: none. */
  readonly parts?: readonly StepId[];
}

/** Tests that the command chose among imported ones, in place of what the release file says. */
export interface ChosenTests {
  /** `attr:value` filters. */
  readonly where?: readonly string[];
  readonly frequency?: string;
  /** Smoke tests in place of tests that have one. */
  readonly smoke?: true;
  /** `only` of `Given`, as plans and schedules hold it that an earlier version made. */
  readonly only?: readonly string[];
}

/** Variables for the tags of images. They are part of the plan, so that no tag depends on a clock or an environment. */
export interface TagVariables {
  /** The schedule that started the release: `nightly`. */
  readonly schedule?: string;
  readonly build?: string;
  readonly pull?: string;
}

/** Options of planning besides the release file. */
export interface Given extends TagVariables {
  /** Full hash of the commit of the source and of every wheel that is taken, in place of what the file names. Set by a bisect. */
  readonly commit?: string;
  /** Full hash of the commit of the source alone, in place of what the file names. Set by a comment. */
  readonly source?: string;
  /** Tests that are chosen. */
  readonly tests?: ChosenTests;
  /** Presets of the settings, in this order. */
  readonly preset?: readonly string[];
  /** Settings as typed: `service.port=8080`, a path and YAML. Later ones win. */
  readonly set?: readonly string[];
  /** Ids of entries that are left out: `steps/prepare`. */
  readonly skip?: readonly string[];
  /** Ids of the only entries of their sections that are made: `steps/prepare`. */
  readonly only?: readonly string[];
  /** A branch, tag or commit: entries with `when: { changed }` are left out if nothing changed since its merge base. */
  readonly since?: string;
  /** Label of a pipeline, in place of the one that its file names. */
  readonly label?: string;
  /** The version is that of the commit's snapshot. */
  readonly snapshot?: boolean;
  /** Planning asks no index and no other repository: it takes what they said before. */
  readonly offline?: boolean;
  /** Commits or branches of wheels by entry, in place of `wheels.NAME.from.take`: `{ ray: 'master' }`. */
  readonly wheels?: Readonly<Record<string, string>>;
}

/** Entries that an import made of another tool's files. */
export interface PlanImport {
  /** The entry that imports: `tests/nightly`. */
  readonly id: string;
  readonly from: string;
  readonly entries: number;
  /** How many rows it judged, by verdict and rule. */
  readonly counts: Readonly<Record<string, number>>;
  readonly notices: readonly Finding[];
}
export interface PlanImports {
  /** Record in the store: the commit, and all that the imports read of it. */
  readonly facts: Digest;
  /** The document of all rows in the store. Absent without rows. */
  readonly rows?: Digest;
  readonly of: readonly PlanImport[];
}

/** Source of the steps that have no source of their own. `none`: every step has its own. */
export type PlanSource = (SourceRef | { readonly kind: 'none' }) & { readonly branch: string | null };

/** The whole graph of steps. Immutable JSON named by its digest; the same on any machine. */
export interface Plan {
  readonly slipway: 1;
  /** Name and version of a release, name and label of a pipeline. */
  readonly release: { readonly name: string; readonly version: string };
  readonly pipeline?: true;
  /** Present if workers without a sandbox may run the release. */
  readonly isolation?: 'none';
  readonly source: PlanSource;
  readonly profile: { readonly name: string; readonly rehearsal: boolean };
  /** Retries of all steps together, if the release file limits them. */
  readonly retries?: number;
  readonly bundle: readonly BundleFile[];
  readonly given?: Given;
  /** Findings about the source. Absent without. */
  readonly notices?: readonly Finding[];
  /** Absent where nothing is imported. */
  readonly imports?: PlanImports;
  /** The document of the settings in the store. Absent without settings. */
  readonly settings?: Digest;
  readonly steps: readonly Step[];
  readonly dropped: readonly Dropped[];
  /** Absent if there are none. */
  readonly assumed?: readonly AssumedDone[];
  /** Absent if there are none. */
  readonly kept?: readonly KeptEntry[];
  readonly effects: readonly Effect[];
  readonly notify?: { readonly listeners: readonly Listener[]; readonly remind: RemindTimes };
}

/** The part of a plan that history holds: integers for edges, and no parameters. */
export interface Skeleton extends RunHead {
  readonly plan: Digest;
  readonly steps: readonly SkeletonStep[];
  readonly dropped: readonly Omit<Dropped, 'was'>[];
  readonly assumed?: readonly Omit<AssumedDone, 'neededBy'>[];
  /** Listeners and their events. Absent without listeners. */
  readonly notify?: {
    readonly listeners: readonly Pick<Listener, 'name' | 'on'>[];
    readonly remind: RemindTimes;
  };
  /** Workflow id of a done run with the same plan. Only a scheduled run has it, and then no steps. */
  readonly nothingNew?: string;
  /** Failures of earlier runs that are not tried again, and fail this run too. */
  readonly failedBefore?: readonly string[];
  /** Verdicts about all that is wanted, where nothing is to be built: `14 here, 24 upstream`. The run has no steps then. */
  readonly nothingToDo?: string;
  /** Queues without a worker when the run was planned. */
  readonly unserved?: readonly UnservedQueue[];
  /** Retries of all steps together, if the release file limits them. */
  readonly retries?: number;
  /** True to look cached results up in bulk before steps are scheduled. */
  readonly reuse?: true;
  /** Steps without a cache lookup. Absent if there are none. */
  readonly noCache?: NoCache;
  /** Slots of the workers when the run was planned. */
  readonly slots?: Slots;
  /** Maximum number of concurrent steps per queue. Known slots take precedence. */
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
  /** Expected duration, if known. It is the unit of the critical path. */
  readonly expectedMs?: number;
  /** Limit of the wait for a worker, if the release file sets one. */
  readonly waitMs?: number;
  readonly retry: Step['retry'];
  readonly onFailure?: Step['onFailure'];
  readonly tolerate?: Step['tolerate'];
  readonly cache?: Step['cache'];
  /** Services that it is known to need besides the store. Its failures add more. */
  readonly services?: readonly Service[];
  /** Pool of which an attempt holds a place. */
  readonly pool?: Pool;
  readonly gate?: GateRules;
}

interface Edges {
  readonly needs: readonly unknown[];
  readonly wants: readonly unknown[];
  readonly after: readonly unknown[];
}
/** Whether a step only has `after` edges, such as the report or a clean-up. It runs in a cancelled run, too. */
export const isAfterOnly = ({ needs, wants, after }: Edges): boolean =>
  needs.length === 0 && wants.length === 0 && after.length > 0;

export const headOf = ({ release, profile, pipeline }: Pick<Plan, 'release' | 'profile' | 'pipeline'>): RunHead => ({
  ...{ name: release.name, version: release.version, rehearsal: profile.rehearsal },
  ...(pipeline && { pipeline }),
});
