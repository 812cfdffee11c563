import { isObject } from './check.js';
import { PIPELINE_WORKFLOW } from './ids.js';
import type { VerdictName } from './messages.js';
import type { ChosenTests, Given } from './plan.js';
import type { Rhythm } from './rhythm.js';

/** Options of planning that a schedule keeps. Each start decides the label anew. */
export type ScheduledGiven = Pick<Given, 'tests' | 'wheels' | 'schedule' | 'preset' | 'set' | 'skip' | 'only'>;

/** Input of planning at each start of a schedule. A key of the home signs it if `given` is present. */
export interface PlanOrder {
  /** Real path of a release file. */
  readonly file: string;
  readonly profile: string;
  readonly given?: ScheduledGiven;
}

/** Id of a pipeline's Temporal Schedule, and the workflow id that it starts. Temporal appends the time to the latter. */
export const scheduleIdOf = (pipeline: string): string => `${PIPELINE_WORKFLOW}/${pipeline}`;

/** A schedule as `slipway schedule` makes it. */
export interface ScheduleRequest extends PlanOrder {
  readonly pipeline: string;
  readonly rhythm: Rhythm;
  /** Name of the person who makes it. */
  readonly by?: string;
}

/** A run that a schedule started. */
export interface ScheduledRun {
  readonly workflowId: string;
  readonly run: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `unknown`: the server does not know the run any more. */
  readonly verdict: VerdictName | 'running' | 'unknown';
}

/** A schedule as the server describes it. */
export interface Schedule {
  readonly pipeline: string;
  /** `every 15m`, `cron 0 2 * * *`, or `other` for a schedule that another program changed. */
  readonly rhythm: string;
  readonly file: string | null;
  readonly profile: string | null;
  readonly given: ScheduledGiven;
  readonly by: string | null;
  readonly paused: boolean;
  /** Reason of the last pause or resume, with the person's name. */
  readonly note: string | null;
  /** Next starts, in milliseconds since 1970. Empty if it is paused. */
  readonly next: readonly number[];
  /** Newest first. */
  readonly last: readonly ScheduledRun[];
  readonly started: number;
  /** Starts left out because a run was open. */
  readonly skipped: number;
  /** Starts left out because the server was down for too long. */
  readonly missed: number;
}

const MOST_VALUES = 1000;
const LONGEST_VALUE = 2000;
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= LONGEST_VALUE;
const areTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.length <= MOST_VALUES && value.every(isText);

const CHOICES: Readonly<Record<keyof ChosenTests, (value: unknown) => boolean>> = {
  where: areTexts,
  only: areTexts,
  frequency: isText,
  smoke: (value) => value === true,
};
const GIVEN: Readonly<Record<keyof ScheduledGiven, (value: unknown) => boolean>> = {
  schedule: isText,
  wheels: (value) => isObject(value) && areTexts(Object.values(value)),
  tests: (value) => isObject(value) && fits(value, CHOICES),
  ...{ preset: areTexts, set: areTexts, skip: areTexts, only: areTexts },
};
const fits = (value: object, keys: Readonly<Record<string, (value: unknown) => boolean>>): boolean =>
  Object.entries(value).every(([key, one]) => Object.hasOwn(keys, key) && keys[key]!(one));

/** True if a value from a workflow's input has the form of options that a schedule keeps. */
export const isScheduledGiven = (value: unknown): value is ScheduledGiven => isObject(value) && fits(value, GIVEN);
