import type { writeView } from './artifacts/write-view.js';
import type { OpenIndex } from './cache/open-check.js';
import type { ExitCode, Input } from './command.js';
import type { BisectSpan } from '../model/bisect.js';
import type { Checkout } from '../model/checkout.js';
import type { Digest, Hash } from '../model/digest.js';
import type { Evidence } from '../model/evidence.js';
import type { Durations } from '../model/durations.js';
import type { SourceLocation } from '../model/failure.js';
import type { Finding } from '../model/finding.js';
import type { FolderPruneOrder } from '../model/folder-prune.js';
import type { PruneOrder, PruneReview } from '../model/index-prune.js';
import type { IndexUse } from '../model/index-use.js';
import type { WheelJudgement } from '../engine/index/prune/judge.js';
import type { SecondLook } from '../engine/index/prune/review.js';
import type { Fleet } from '../model/fleet.js';
import type { RunId, StepId } from '../model/ids.js';
import type { Given, Plan } from '../model/plan.js';
import type { PlannedSettings } from '../plan/feature.js';
import type { PlanOrder, ScheduledGiven } from '../model/schedule.js';
import type { Rows } from '../model/rows.js';
import type { Chain } from '../model/run-folder.js';
import type { Outcome } from '../model/tests/outcome.js';
import type { Standings, TestAction } from '../model/tests/standing.js';
import type { Proofs } from '../model/proof.js';
import type { LogReader, Pointers, Store } from '../activities/ports.js';
import type { Policy } from '../model/schema/policy.js';
import type { Use } from '../model/secret.js';
import type { Queues } from '../model/schema/profile.js';
import type { Judgement, PolicyFile } from '../plan/policy/judge.js';
import type { FeatureScreens } from './screens/feature-screens.js';
import type { ReadFile } from '../plan/read/release-file.js';
import type { SourceFacts } from '../adapters/facts/imports.js';
import type { WorkingTree } from '../adapters/facts/working-tree.js';
import type { History } from '../adapters/history/index.js';
import type { ReleaseClient } from '../client/index.js';
import type { Check, Services as ServicesPort } from '../services/create-services.js';
import type { IndexCopies } from './cache/open-rebuild.js';

export type { WorkingTree };

/** The ports of commands. Each is loaded on first use, so that `--help` stays quick. */
export interface Ports {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Lines that features add to screens. */
  readonly screens: Readonly<Record<string, FeatureScreens>>;
  /** Digest of a text: names a plan. */
  readonly hash: Hash;
  /** Reads a release file and its facts, and plans it; throws SlipwayFailure with all problems at once. Null: imports judged and read
   * nothing of the source.
   * @param facts digest of what a former plan read of its source */
  planWithRows(
    file: string,
    profile: string,
    given: Given,
    facts?: string,
  ): Promise<{
    readonly plan: Plan;
    readonly rows: Rows | null;
    readonly settings: PlannedSettings | null;
    readonly source: SourceFacts | null;
    /** Plans with a preset, from the same facts. */
    planWith(preset: string): Promise<Plan>;
  }>;
  /** Settings of a release file, without a plan. Null: it has none. */
  settings(file: string, profile: string, given: Given): Promise<PlannedSettings | null>;
  /** A plan by a release file, a file of `slipway plan --json`, or its digest. */
  namedPlan(what: string, profile: string): Promise<Plan>;
  /** A file of machines to simulate with. */
  fleet(path: string): Promise<ReadFile<Fleet>>;
  /** A JSON file, parsed; throws where it cannot be read. */
  json(path: string): Promise<unknown>;
  /** `slipway init`. */
  checkouts(): Promise<CheckoutsPort>;
  /** Files of the working tree that differ from the commit that is checked out and released; none for any other source. */
  uncommitted(file: string): Promise<readonly string[]>;
  /** The commit that a release file names now, as its plan would have it. Null: its source is no commit. */
  commitNow(file: string): Promise<string | null>;
  /** The text of a release file with its imported entries. @param facts as for `plan` */
  expanded(file: string, profile: string, given?: Given, facts?: string): Promise<string>;
  /** Puts plan, bundle and source into the store, ready to run; answers the plan's digest. */
  submit(file: string, profile: string, given?: Given): Promise<{ plan: Plan; digest: Digest }>;
  /** Plans as `submit` does, and signs what a schedule plans at each start. */
  order(file: string, profile: string, given: ScheduledGiven): Promise<{ plan: Plan; order: PlanOrder }>;
  /** The release tests of a file's pipeline, over many runs. Throws NO_STANDINGS. */
  tests(file: string, profile: string): Promise<TestsPort>;
  /** Opens the index that a file prunes, or a folder of wheels to judge by its lists. Throws PRUNE_UNDECLARED, PRUNE_WHICH_INDEX,
   * PRUNE_NO_LISTS, WHEELHOUSE_… */
  prune(file: string, ask: PruneAsk, given: Given): Promise<PrunePort>;
  /** Commits between two of the source of a release file, and its absolute path. Throws BISECT_… if they cannot be bisected. */
  bisectSpan(
    file: string,
    ends: { readonly good: string; readonly bad: string },
  ): Promise<BisectSpan & { readonly file: string }>;
  /** Opens the indexes that a file publishes to. Throws CACHE_WITHOUT_INDEX. */
  indexes(file: string, profile: string): Promise<readonly OpenIndex[]>;
  /** Returns what the workflow ids of a file's runs begin with: `pipeline/NAME`. */
  runsOf(file: string, profile: string): Promise<string>;
  /** Returns a function from paths to places in a release file. */
  locate(file: string): Promise<(path: string) => SourceLocation | null>;
  store(): Promise<Store>;
  pointers(): Promise<Pointers>;
  /** Returns the durations that the last runs measured, of a release and of others. */
  durations(release: string): Promise<readonly Durations[]>;
  /** Queues of this installation, by name. */
  queues(): Promise<Queues>;
  logs(): Promise<LogReader>;
  client(): Promise<ReleaseClient>;
  /** `slipway up | down | doctor`. */
  services(): Promise<ServicesPort>;
  ssh(): Promise<SshPort>;
  codec(): Promise<CodecPort>;
  policy(): Promise<PolicyPort>;
  /** Runs `slipway drill` in a process of its own. Throws DRILL_ABSENT. */
  drill(input: Input): Promise<ExitCode>;
  /** Returns a signal that the first Ctrl-C aborts. A second Ctrl-C ends the process. */
  interrupt(): AbortSignal;
  /** Runs a step again with a shell on this terminal. Returns an exit status. */
  reproduce(request: Reproduce): Promise<number>;
  /** Asks a question on the terminal. Returns null if there is no terminal. */
  confirm(question: string): Promise<boolean | null>;
  /** The working tree that a release file's `source.git` names. */
  workingTree(file: string): Promise<WorkingTree>;
  /** Creates the missing keys of this home. Returns their folder and the created files. */
  makeKeys(): Promise<{ readonly folder: string; readonly files: readonly string[] }>;
  /** Keys of this home. */
  proofs(): Promise<Proofs>;
  evidence(): Promise<EvidencePort>;
  /** Copies of the indexes of a release file, which the store keeps. Throws REBUILD_NO_INDEX. */
  rebuild(file: string, profile: string): Promise<readonly IndexCopies[]>;
  /** Questions about many runs. Throws HISTORY_NO_DATABASE, HISTORY_REFUSED. */
  history(): Promise<History>;
  /** Copies an artifact's bytes to a file in a folder, made where missing; answers the path. */
  save(digest: Digest, folder: string, name: string): Promise<string>;
  /** Writes the view of a run to a new or empty folder, whole or not at all; answers its path. Throws EXPORT_FOLDER_TAKEN. */
  writeView: typeof writeView;
}

/** Downloaded files, and the evidence in their folder. Uses no network. */
export interface EvidencePort {
  /** Reads what speaks of the files of a folder. @param keyFiles keys that the reader trusts */
  read(folder: string, keyFiles: readonly string[]): Promise<Evidence>;
  /** Names of the files of a folder. Null if it is a file. */
  names(path: string): Promise<readonly string[] | null>;
  digest(path: string): Promise<Digest>;
}

/** Checkouts that have no release file yet. */
export interface CheckoutsPort {
  /** Facts of a folder; nothing in it is executed. */
  read(folder: string): Promise<Checkout>;
  /** Writes a file that is not there yet. */
  writeNew(folder: string, path: string, text: string): Promise<void>;
}

/** `slipway tests`: standings of one pipeline, profile and branch. */
export interface TestsPort {
  readonly chain: Chain;
  readonly nowMs: number;
  /** The standings, with the actions since the last run. Null if no run has counted yet. */
  read(): Promise<Standings | null>;
  /** Outcomes of a test in a run, of all repeats and attempts. */
  outcomes(run: RunId, test: string): Promise<readonly Outcome[]>;
  /** Stores an action, signed by a key of this home. Returns its number. */
  act(action: TestAction): Promise<number>;
}

/** Index or folder that `slipway cache prune` reviews. */
export interface PruneAsk {
  readonly profile: string;
  /** Null: the only one under `prune`. */
  readonly target: string | null;
  /** Access log of the web server that serves the index. Null: that of `slipway up`, for its own index. */
  readonly log: string | null;
  /** Folder with wheels that no index of ours holds. Null: the index of the target. */
  readonly folder: string | null;
}

/** An index, or a folder with wheels that no index of ours holds. */
export interface PrunePort {
  readonly about: Pick<PruneReview, 'pipeline' | 'profile' | 'target' | 'rules'>;
  /** Judges each wheel by the lists of today, the index upstream and the access logs. A folder is judged as it was when it was opened. */
  judge(nowMs: number): Promise<Judged>;
  keepReview(review: PruneReview): Promise<Digest>;
  /** Null if the store has no such review. */
  review(digest: string): Promise<PruneReview | null>;
  /** Stores a signed order, and resolves when it is carried out: by the index's writer, or here for a folder. */
  carryOut(said: PruneSaid, look: SecondLook, now: Judged): Promise<Pruned>;
}

/** Fields that orders to an index and orders for a folder share. */
export type PruneSaid = Pick<PruneOrder, 'slipway' | 'at' | 'by' | 'because' | 'review'>;

export type Pruned =
  | { readonly record: string; readonly order: PruneOrder; readonly findings: readonly Finding[] }
  | { readonly record: string; readonly order: FolderPruneOrder; readonly left: FolderPruneOrder['stay'] };

export interface Judged {
  /** By `PLATFORM/FILE`. */
  readonly judged: ReadonlyMap<string, WheelJudgement>;
  readonly of: JudgedIndex | JudgedFolder;
}

interface JudgedFolder {
  /** Absolute, without links. */
  readonly path: string;
  /** As it was typed. */
  readonly folder: string;
}

interface JudgedIndex {
  readonly use: IndexUse;
  /** Times at which bytes of removed wheels leave, as `dueStamp` writes them. */
  readonly due: readonly string[];
  /** Platforms that have wheels, or bytes to remove. */
  readonly platforms: readonly string[];
}

export type { History };

export interface Reproduce {
  readonly run: RunId;
  readonly plan: Digest;
  readonly step: StepId;
  readonly way: { readonly do: 'shell' | 'exec' } | { readonly do: 'command'; readonly line: string };
  readonly withSecrets: boolean;
}

/** The person's own OpenSSH keys. */
export interface SshPort {
  /** Public keys that the agent holds, one line each; none where no agent answers. */
  agentKeys(): Promise<readonly string[]>;
  /** Signs an approval. @param key path of a key, or the line of a public key that the agent holds */
  sign(text: string, key: { readonly path: string } | { readonly line: string }): Promise<string>;
}

/** The policy of a worker with this home and environment. */
export interface PolicyPort {
  /** Path at which the worker looks for the policy. */
  readonly path: string;
  /** Null if there is none. */
  read(): Promise<PolicyFile | null>;
  /** Judges every target of a plan, with the addresses that services have now. */
  explain(plan: Plan): Promise<Explained>;
  /** Text of a policy for a release file. */
  draft(file: string, profile: string): Promise<string>;
  /** Writes a file that is not there yet. */
  writeNew(path: string, text: string): Promise<void>;
}
export interface Explained {
  readonly path: string;
  readonly policy: Policy | null;
  readonly judged: readonly Judgement[];
  /** References that steps look up, and the rule that allows each. Null: no rule does. */
  readonly uses: readonly (Use & { readonly by: string | null })[];
}

/** Keys that encrypt what Temporal keeps. */
export interface CodecPort {
  /** `ID BASE64`, to stand first in the file of keys. */
  newKeyLine(id: string): string;
  /** Serves on this machine until it is closed. @param port 0: any. @param origins pages that may ask */
  serve(port: number, origins: readonly string[]): Promise<{ readonly address: string; close(): Promise<void> }>;
}

export type { Check, ServicesPort };
