import type { Digest } from '../../model/digest.js';
import type { Queue, StepId } from '../../model/ids.js';
import type { Durations } from '../../model/durations.js';
import type { BisectSpan } from '../../model/bisect.js';
import type { Given, Plan, Skeleton } from '../../model/plan.js';
import type { OurIndex, Tried } from '../../importers/index.js';
import type { MadeBase } from '../../model/made-base.js';
import type { PureBuild } from '../../model/pure-build.js';
import type { PlanOrder } from '../../model/schedule.js';
import type { Chain } from '../../model/run-folder.js';
import type { Standings } from '../../model/tests/standing.js';
import type { FeaturePlans } from '../../plan/feature.js';
import type { WheelServer } from '../wheels/taken/ports.js';
import type { NamedIndex } from '../index/ports.js';
import type { Slots, UnservedQueue } from '../../model/worker.js';

export interface Fleet {
  /** Returns the queues without a living worker, and since when. Looks for a second if there is one. */
  unserved(queues: readonly Queue[]): Promise<readonly UnservedQueue[]>;
  slots(queues: readonly Queue[]): Promise<Slots>;
}

/** Signatures of plans. Workers carry out only plans that a planner of this home signed. */
export interface PlanSignatures {
  /** Throws PLAN_NOT_SIGNABLE if this home lacks the private key. */
  sign(plan: Digest): Promise<void>;
  isSigned(plan: Digest): Promise<boolean>;
}

/** Failed builds of earlier runs. */
export interface FailedBuilds {
  /** Steps of which a build failed, without the hashes in their ids. */
  readonly steps: ReadonlySet<StepId>;
  /** Returns the last failure of each build of a plan, by step. Steps without a failure are absent. */
  of(plan: Plan): Promise<Readonly<Record<StepId, Tried>>>;
}

export interface AnswerPorts {
  readonly home: string;
  /** Absolute folder of the release file. */
  readonly folder: string;
  /** True: nothing outside this machine may be asked. */
  readonly offline: boolean;
}

/** Returns answers to questions of one name, by key, as plain data. A key without an answer is absent. */
export type Answerer = (keys: readonly string[]) => Promise<Readonly<Record<string, unknown>>>;

/** Features that planning plans with. */
export interface Features {
  readonly features: FeaturePlans;
  /** Loads the `node.ts` of features, which answer questions of importers. */
  readonly answers: () => Promise<Readonly<Record<string, object>>>;
}

/** The part of a feature's `node.ts` that planning uses. */
export interface Answering {
  /** Returns what answers questions of its importers, by the name of the question. */
  answers?(ports: AnswerPorts): Readonly<Record<string, Answerer>>;
}

/** Features, and records of earlier runs that planning reads. */
export interface Past extends Features {
  /** Returns what tests are after the last run that counted. Null if none has. */
  readonly standings: (chain: Chain) => Promise<Standings | null>;
  readonly failed: () => Promise<FailedBuilds>;
  /** Returns the wheels that an index lists for a platform. Throws if a policy does not allow its address. */
  readonly listed: (index: NamedIndex, platform: string) => Promise<OurIndex>;
  /** Returns the builds of sdists that gave pure wheels, for each digest of an sdist: 64 hex digits. */
  readonly pure: (sdists: readonly string[]) => Promise<Readonly<Record<string, readonly PureBuild[]>>>;
  /** Returns the newest record of each line of bases of a release or pipeline, by line. */
  readonly bases: (release: string) => Promise<Readonly<Record<string, MadeBase>>>;
  /** Absent: the planning process asks servers and buckets itself. */
  readonly wheels?: WheelServer;
}

export interface Planner {
  /** Plans a release file; stores and signs plan, bundle and source. Throws RELEASE_FILE_… if this worker may not read
   * the file. */
  submit(file: string, profile: string, given?: Given): Promise<{ readonly plan: Plan; readonly digest: Digest }>;
  /** True if a planner of this home signed what a schedule plans. */
  isOrdered(order: PlanOrder): Promise<boolean>;
  /** Returns the commits between two. Throws BISECT_… if they cannot be bisected. */
  span(file: string, ends: { readonly good: string; readonly bad: string }): Promise<BisectSpan>;
  /** Reads a plan from the store and checks its signature. */
  load(digest: Digest): Promise<Plan>;
  /** Returns the workflow id of a done run of the pipeline. Null if there is none.
   * @param same digest of its plan apart from its label */
  doneBefore(pipeline: string, same: Digest): Promise<string | null>;
  keep(plan: Plan): Promise<Digest>;
  skeleton(plan: Plan, digest: Digest): Promise<Skeleton>;
  /** Returns measured durations of the last runs, of this release and of others. */
  durations(release: string): Promise<readonly Durations[]>;
}
