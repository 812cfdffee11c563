import type { RunId } from './ids.js';
import { LABEL_FORM } from './label.js';
import type { Given } from './plan.js';
import type { Chain } from './run-folder.js';
import { entryOf } from './tests/outcome.js';
import { WORKFLOW_TYPES, type WorkflowName } from './workflow-types.js';

export const BISECT_WORKFLOW = 'bisect' satisfies WorkflowName;

/** Prefix of the ids of bisects: `bisect/PIPELINE/TEST/BAD8`. */
export const [BISECTS] = WORKFLOW_TYPES[BISECT_WORKFLOW].ids;

const short = (commit: string): string => commit.slice(0, 8);

/** Two bisects of a test below one bad commit are the same. */
export const bisectIdOf = ({ pipeline, test, bad }: { pipeline: string; test: string; bad: string }): string =>
  `${BISECTS}${pipeline}/${test}/${short(bad)}`;

/** Input of the workflow `bisect`. */
export interface BisectInput {
  /** Absolute path of the release file of a pipeline. */
  readonly file: string;
  readonly profile: string;
  /** Name of the test in records, `spread@cp311`: that variant alone is judged. Or name of its entry, for all variants. */
  readonly test: string;
  /** Full commit hashes. */
  readonly good: string;
  readonly bad: string;
  /** Commits tried at once. */
  readonly ways: number;
  readonly by?: string;
  /** Version of the scheduler's rules for the runs that it starts. */
  readonly engine?: number;
}

/** Bounds of `ways`. */
export const MOST_WAYS = 10;
export const DEFAULT_WAYS = 3;

/** Facts of the repository that a bisect needs. */
export interface BisectSpan {
  /** Name of the pipeline of the release file. */
  readonly pipeline: string;
  /** Full hashes on the first-parent line, from the good commit to the bad one, both included. */
  readonly commits: readonly string[];
  /** Branch of the file's standings. Absent without `standings:`. */
  readonly branch?: string;
  /** Hash of the id and run of the bisect, 8 hex digits. Absent in histories of earlier builds. */
  readonly mark?: string;
}

/** Activity `planBisect` on the control queue. */
export type PlanBisect = (
  input: BisectInput & { readonly run: RunId; readonly workflowId: string },
) => Promise<BisectSpan>;

/** Activity `keepBlame` on the control queue. Stores the commits that a bisect blames for the next standings of the test. */
export type KeepBlame = (blame: {
  readonly run: RunId;
  readonly workflowId: string;
  readonly chain: Chain;
  readonly test: string;
  readonly commits: string;
}) => Promise<void>;

/** End of one try of the test at one commit. `unbuildable`: what it tests cannot be made there. */
export type Try = 'pass' | 'fail' | 'infra' | 'unbuildable';

/** Answer of a bisect. `from` and `to` are commits by their place, 0 for the good end: the fault came after `from`, and with
 * `to` at the latest. */
export type BisectAnswer =
  | { readonly answer: 'blamed'; readonly commit: number; readonly repeats: number }
  | { readonly answer: 'span'; readonly from: number; readonly to: number; readonly repeats: number }
  /** A commit passed above one that failed, also with twice the repeats. */
  | { readonly answer: 'not monotone'; readonly from: number; readonly to: number; readonly repeats: number }
  | { readonly answer: 'fails at the good end' | 'passes at the bad end' }
  | { readonly answer: 'cannot be tried'; readonly commit: number };

/** A commit that was tried. */
export interface Tried {
  /** Its place. */
  readonly commit: number;
  readonly tries: readonly Try[];
  /** Tries that have no end yet. */
  readonly running: number;
  /** Code and message of the last try that did not pass. */
  readonly because?: string;
}

/** Answer of the query `status` of a bisect, and its result. */
export interface BisectStatus {
  readonly test: string;
  readonly state: 'planning' | 'trying' | 'paused' | 'ended';
  readonly commits: readonly string[];
  /** By place. */
  readonly tried: readonly Tried[];
  readonly answer?: BisectAnswer;
  /** Why it is paused, or was cancelled. */
  readonly why?: string;
}

/** One try: an ordinary run of a pipeline at one commit, with one test alone. */
export interface Probe {
  readonly test: string;
  /** Full hash. */
  readonly commit: string;
  readonly label: string;
}

/** Longest part of a test's name in a label. */
const MOST_OF_TEST = 40;

/** @param mark keeps the tries of a bisect apart from those of an earlier one of the same test, which may still run
 * @param no number of the try among those of its commit, from 1 */
export const probeOf = ({ test, bad }: BisectInput, mark: string, commit: string, no: number): Probe => ({
  test,
  commit,
  label: `bisect-${test.slice(-MOST_OF_TEST).replaceAll('@', '-')}-${short(bad)}-${short(commit)}-${no}-${mark}`,
});

/** Input of planning for a try. */
export const givenFor = ({ test, commit, label }: Probe): Given => ({
  commit,
  label,
  only: [`tests/${entryOf(test)}`],
});

export const FULL_HASH = /^[0-9a-f]{40}$/;
const TEST_NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,199}$/;
export const isTestName = (value: unknown): value is string => typeof value === 'string' && TEST_NAME.test(value);
export const isFullHash = (value: unknown): value is string => typeof value === 'string' && FULL_HASH.test(value);

/** True if a value from a workflow's input is a probe. */
export function isProbe(value: unknown): value is Probe {
  if (typeof value !== 'object' || value === null) return false;
  const { test, commit, label } = value as Partial<Record<keyof Probe, unknown>>;
  const isLabel = typeof label === 'string' && LABEL_FORM.test(label);
  return isLabel && isTestName(test) && isFullHash(commit);
}
