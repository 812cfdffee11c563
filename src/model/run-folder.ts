import type { Digest } from './digest.js';
import type { RunId, StepId } from './ids.js';

/** Names of records in the store; one place, so that every room finds what another wrote. */
export const records = {
  /** `Started` of a run; one folder for all runs, so that the newest is found without walking their logs. */
  started: (run: RunId): string => `started/${run}`,
  /** @param round 1 unless the step was told to run again; `readRounds` knows the one that counts */
  result: (run: RunId, step: StepId, round = 1): string =>
    `runs/${run}/results${round === 1 ? '' : `@${round}`}/${step}`,
  /** `Round`: what a person let run again; a folder, from the second on. */
  rounds: (run: RunId, round?: number): string =>
    `runs/${run}/rounds/${round === undefined ? '' : String(round).padStart(6, '0')}`,
  /** The last `RunStatus` of a run that ended, for when Temporal has forgotten it. */
  status: (run: RunId): string => `runs/${run}/status`,
  /** `Checkpoint` of a run that continued as new. */
  checkpoint: (run: RunId, digest: Digest): string => `runs/${run}/checkpoints/${digest.slice(7)}`,
  /** `StartedFrom` of a run that was started with a release file. */
  file: (run: RunId): string => `runs/${run}/file`,
  /** `NotLookedUp` of a run that was started with `--no-cache`. */
  noCache: (run: RunId): string => `runs/${run}/no-cache`,
  report: (run: RunId): string => `runs/${run}/report`,
  /** `Audited`: an action that was sent to the run, and its answer; a folder, in the order of arrival. */
  audit: (run: RunId, no?: number): string =>
    `runs/${run}/audit/${no === undefined ? '' : String(no).padStart(6, '0')}`,
  /** `VoidApproval` to be: a yes that somebody gave, kept to tell in a later run what became of it; a folder for each gate. */
  approval: (workflowId: string, gate: string, name = ''): string => `approvals/${workflowId}/${gate}/${name}`,
  /** `Spent`: a signed text that was sent once. It never counts again, whatever its armour looks like. */
  spent: (fingerprint: Digest, text: Digest): string => `spent/${fingerprint.slice(7)}/${text.slice(7)}`,
  /** The first result with a step key. For `probe` kinds a folder of results `000001 …`, the last of them the newest. */
  known: (key: Digest): string => `known/${key.slice(7, 9)}/${key.slice(7)}`,
  /** `work.remember(key, value)`. Shared by all attempts of a step in a run. */
  memory: (run: RunId, step: StepId, key: string): string => `runs/${run}/memory/${step}/${key}`,
  /** All that steps of a run remembered. */
  memories: (run: RunId): string => `runs/${run}/memory/`,
  log: (run: RunId, step: StepId, attempt: number): string =>
    `runs/${run}/logs/${step}/${String(attempt).padStart(3, '0')}`,
  /** `GitSource` of a commit, or of one folder of it. */
  gitSource: (commit: string, folder?: string): string =>
    `sources/git/${commit}${folder === undefined ? '' : `/${folder}`}`,
  /** The control key's signature of a plan: who cannot make one cannot have a plan carried out. */
  planSignature: (plan: Digest): string => `plans/${plan.slice(7, 9)}/${plan.slice(7)}`,
  /** `Durations` of a run, in the order the runs began; a folder for each release. */
  durations: (release: string, at = '', run: RunId = ''): string =>
    `durations/${release}/${at === '' ? '' : `${at}-${run}`}`,
  /** Ledger entries of one published name, in the order they were written. */
  ledger: (target: string, name: string): string => `ledger/${target}/${name}`,
} as const;

/** Key under which a lock's step remembers a result that differs from the committed lock, for `slipway deps write`. */
export const DRIFTED_LOCK = 'drifted-lock';

/** Written by whoever first works for a run. */
export interface Started {
  readonly run: RunId;
  readonly workflowId: string;
  readonly plan: Digest | null;
  /** ISO 8601. */
  readonly at: string;
}

/** The release file of a run: its problems are told with their places there. */
export interface StartedFrom {
  /** Absolute. */
  readonly file: string;
}

/** Tar of a commit's tree, and what its repository says of the commit. */
export interface GitSource {
  readonly digest: Digest;
  readonly size: number;
  /** The commit's time, seconds since 1970. */
  readonly epoch: number;
  /** By first parents, the nearest first; absent where an older Slipway wrote this. */
  readonly ancestors?: readonly string[];
}
