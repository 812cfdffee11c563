import type { Digest } from './digest.js';
import type { Problem } from './failure.js';
import type { RunId, StepId } from './ids.js';
import type { MadeBase } from './made-base.js';
import type { IndexEntry } from './python/index-entry.js';
import type { BuildkiteJob } from './tests/buildkite.js';

/** Standings of one pipeline, profile and branch. */
export interface Chain {
  readonly pipeline: string;
  readonly profile: string;
  readonly branch: string;
}

/** A static index, as one pipeline publishes to it. */
export interface IndexOfPipeline {
  readonly pipeline: string;
  readonly profile: string;
  readonly target: string;
}

const indexPath = ({ pipeline, profile, target }: IndexOfPipeline): string =>
  [pipeline, profile, target].map(encodeURIComponent).join('/');

/** A branch may hold "/". */
const chainPath = ({ pipeline, profile, branch }: Chain): string =>
  `${pipeline}/${profile}/${encodeURIComponent(branch)}`;
const numbered = (no?: number): string => (no === undefined ? '' : String(no).padStart(6, '0'));

/** Names of records in the store, in one place for writers and readers. */
export const records = {
  /** `Started` of a run. One folder holds all runs, so that the newest is found without listing their logs. */
  started: (run: RunId): string => `started/${run}`,
  /** @param round 1 unless the step was rerun; `readRounds` knows the current one */
  result: (run: RunId, step: StepId, round = 1): string =>
    `runs/${run}/results${round === 1 ? '' : `@${round}`}/${step}`,
  /** `Round`: a rerun of a part of the plan. A folder, from the second round on. */
  rounds: (run: RunId, round?: number): string => `runs/${run}/rounds/${numbered(round)}`,
  /** The last `RunStatus` of an ended run, for the time after Temporal's retention. */
  status: (run: RunId): string => `runs/${run}/status`,
  /** `Finding`s about what followed the verdict, such as the status page of an index. Absent: none. */
  findingsAfter: (run: RunId): string => `runs/${run}/findings-after`,
  /** `Checkpoint` of a run that continued as new. */
  checkpoint: (run: RunId, digest: Digest): string => `runs/${run}/checkpoints/${digest.slice(7)}`,
  /** `StartedFrom` of a run that was started with a release file. */
  file: (run: RunId): string => `runs/${run}/file`,
  /** `NotLookedUp` of a run that was started with `--no-cache`. */
  noCache: (run: RunId): string => `runs/${run}/no-cache`,
  /** `DoneBefore`: the first run of a pipeline that was done with such a plan. @param plan digest of the plan apart from its label */
  doneBefore: (pipeline: string, plan: Digest): string => `done/${pipeline}/${plan.slice(7)}`,
  report: (run: RunId): string => `runs/${run}/report`,
  /** `Audited`: an action that was sent to the run, and its answer. A folder, in order of arrival. */
  audit: (run: RunId, no?: number): string => `runs/${run}/audit/${numbered(no)}`,
  /** `VoidApproval`: an approval, stored to report its fate in a later run. A folder for each gate. */
  approval: (workflowId: string, gate: string, name = ''): string => `approvals/${workflowId}/${gate}/${name}`,
  /** `Spent`: a signed text that was sent once. It never counts again, whatever its armour looks like. */
  spent: (fingerprint: Digest, text: Digest): string => `spent/${fingerprint.slice(7)}/${text.slice(7)}`,
  /** The first result with a step key. For `probe` kinds a folder of results `000001 …`, the newest last. */
  known: (key: Digest): string => `known/${key.slice(7, 9)}/${key.slice(7)}`,
  /** `work.remember(key, value)`. All attempts of a step in a run share it. */
  memory: (run: RunId, step: StepId, key: string): string => `runs/${run}/memory/${step}/${key}`,
  memories: (run: RunId): string => `runs/${run}/memory/`,
  /** A folder of chunks. @param delivery above 1 after a worker was lost: `001.2` */
  log: (run: RunId, step: StepId, attempt: number, delivery = 1): string =>
    `runs/${run}/logs/${step}/${String(attempt).padStart(3, '0')}${delivery > 1 ? `.${delivery}` : ''}`,
  /** `FailedTry` of a step, by try key and time. A folder for each try key; without one of the step, without a step of all. */
  failedTries: (step: StepId = '', key?: Digest): string =>
    `failed/${step && `${step}/`}${key === undefined ? '' : `${key.slice(7)}/`}`,
  /** `Indexed` of a wheel of a static index. @param address digest of the target's address, as the plan says it; @param wheel its digest */
  indexed: (address: Digest, platform = '', wheel?: Digest): string =>
    `indexed/${address.slice(7, 39)}/${platform && `${platform}/`}${wheel?.slice(7) ?? ''}`,
  /** `MadeBase`, the newest last; a folder for each line of bases. @param line as `baseLine` names it */
  bases: (line = ''): string => `bases/${line && `${line}/`}`,
  base: (line: string, { at, digest }: Pick<MadeBase, 'at' | 'digest'>): string =>
    `bases/${line}/${at}-${digest.slice(7)}`,
  /** A build that gave the bytes of a listed wheel again: what `confirmedAs` names. A folder for each wheel. */
  confirmed: (wheel?: Digest, what = ''): string =>
    `confirmed/${wheel === undefined ? '' : `${wheel.slice(7, 9)}/${wheel.slice(7)}/${what}`}`,
  /** `PureBuild`, by its own digest. A folder for each sdist. @param sdist digest of the sdist */
  pure: (sdist?: Digest, build?: Digest): string =>
    `pure/${sdist === undefined ? '' : `${sdist.slice(7, 9)}/${sdist.slice(7)}/${build?.slice(7) ?? ''}`}`,
  gitSource: (commit: string, folder?: string): string =>
    `sources/git/${commit}${folder === undefined ? '' : `/${folder}`}`,
  /** The control key's signature of a plan. A plan without it is not executed. */
  planSignature: (plan: Digest): string => `plans/${plan.slice(7, 9)}/${plan.slice(7)}`,
  /** `Durations` of a run, ordered by its start. A folder for each release. */
  durations: (release: string, at = '', run: RunId = ''): string =>
    `durations/${release}/${at === '' ? '' : `${at}-${run}`}`,
  /** `Outcome` of an attempt; without an attempt the folder of a test, without a test that of a run. @param test as `testOf` names it */
  outcomes: (pipeline: string, run: RunId, test = ''): string => `outcomes/${pipeline}/${run}/${test && `${test}/`}`,
  outcome: (pipeline: string, run: RunId, test: string, repeat: number, attempt: number): string =>
    `outcomes/${pipeline}/${run}/${test}/${repeat}-${String(attempt).padStart(3, '0')}`,
  /** `Standings` after a night; a folder for each branch. */
  standings: (chain: Chain, no?: number): string => `standings/${chainPath(chain)}/${numbered(no)}`,
  /** `StandingsNews` of a run. */
  standingsNews: (run: RunId): string => `runs/${run}/standings`,
  /** `TestAction`, in the order they came. */
  testActions: (chain: Chain, no?: number): string => `test-actions/${chainPath(chain)}/${numbered(no)}`,
  /** Nights whose moves a report has carried out; a folder without a number. */
  reported: (chain: Chain, report: string, no?: number): string =>
    `reported/nights/${chainPath(chain)}/${report}/${numbered(no)}`,
  /** Number of the first night that a report carries out. */
  reportBegins: (chain: Chain, report: string): string => `reported/from/${chainPath(chain)}/${report}`,
  /** `{workflowId, run}` of each bisect that began on a day, by its number. @param day `2026-11-22`, in UTC */
  bisects: (day: string, no?: number): string => `bisects/${day}/${numbered(no)}`,
  /** `PruneOrder`s of one index, in their order. A folder without a number. */
  prunes: (index: IndexOfPipeline, no?: number): string => `prunes/${indexPath(index)}/${numbered(no)}`,
  /** `FolderPruneOrder`s of a pipeline, in their order. A folder without a number. */
  folderPrunes: (pipeline: string, no?: number): string =>
    `folder-prunes/${encodeURIComponent(pipeline)}/${numbered(no)}`,
  /** `Wanted` of runs with lists, by their start. A folder for each pipeline and profile; without them of all. */
  wanted: (of?: { readonly pipeline: string; readonly profile: string }, at = ''): string =>
    `wanted/${of === undefined ? '' : `${encodeURIComponent(of.pipeline)}/${encodeURIComponent(of.profile)}/${at}`}`,
  /** `IndexUse` records of one index, by digest. */
  indexUse: (index: IndexOfPipeline, digest?: Digest): string =>
    `index-use/${indexPath(index)}/${digest === undefined ? '' : digest.slice(7)}`,
  /** `Stored`: the first OpenPGP signature of a file by a key. */
  signature: (fingerprint: string, file: Digest): string => `signatures/${fingerprint.toLowerCase()}/${file.slice(7)}`,
  /** `Publisher`: a plan whose runs published bytes under a name in a registry of this home. A folder without a plan, bytes or name.
   * @param service of the registry: `maven` */
  publisher: (service: string, name = '', bytes?: Digest, plan?: Digest): string =>
    `publishers/${service}/${name && `${name}/`}${bytes === undefined ? '' : `${bytes.slice(7)}/${plan?.slice(7) ?? ''}`}`,
  /** Ledger entries of one published name, oldest first. */
  ledger: (target: string, name: string): string => `ledger/${target}/${name}`,
} as const;

/** Memory key of a lock result that differs from the committed lock, for `slipway deps write`. */
export const DRIFTED_LOCK = 'drifted-lock';

/** A build that failed because of what is built, and why. The newest record of a build counts. */
export interface FailedTry {
  readonly run: RunId;
  readonly step: StepId;
  /** ISO 8601. */
  readonly at: string;
  readonly problem: Problem;
  /** It passed after that failure. */
  readonly passed?: true;
}

/** Copy of an entry, and the step that published it. METADATA and statement are in the store by the entry's digests. */
export interface Indexed {
  readonly entry: IndexEntry;
  readonly plan: Digest;
  readonly step: StepId;
  readonly run: RunId;
}

/** Written by the first worker of a run. */
export interface Started {
  readonly run: RunId;
  readonly workflowId: string;
  readonly plan: Digest | null;
  /** ISO 8601. */
  readonly at: string;
}

/** A run whose verdict was `done` without remarks. */
export interface DoneBefore {
  readonly run: RunId;
  readonly workflowId: string;
}

/** The release file of a run. Problems refer to lines in it. */
export interface StartedFrom {
  /** Absolute. */
  readonly file: string;
  /** Absent if no job of Buildkite started it. */
  readonly buildkite?: BuildkiteJob;
}

/** Tar of a commit's tree, and facts of the commit. */
export interface GitSource {
  readonly digest: Digest;
  readonly size: number;
  /** Commit time, seconds since 1970. */
  readonly epoch: number;
  /** By first parents, the nearest first. */
  readonly ancestors: readonly string[];
}
