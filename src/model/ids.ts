/** `section/name/variant`, e.g. `wheels/skiff/cp312/linux-x86_64`; `/` separates, parts are [A-Za-z0-9._-]+. */
export type StepId = string;

/** Returns the entry that made a step: `wheels/skiff` of `wheels/skiff/cp312/linux-x86_64`. */
export const entryOf = (id: StepId): string => id.split('/', 2).join('/');

/** Id of the step that fetches a source.
 * @param name a name in `sources`, or the name of the release for `source` */
export const sourceStepId = (name: string): StepId => `source/${name}`;

/** One execution of a plan: Temporal's run id of the run's first history. Its records are under `runs/<run>/…`. */
export type RunId = string;

/** Task queue of a kind of machine: `control`, `linux-x86_64` … */
export type Queue = string;

/** The queue of workflows and of steps that need no particular machine. */
export const CONTROL: Queue = 'control';
/** Role of the worker that decides about runs, in the place of a queue's name. */
export const WORKFLOWS = 'workflows';

/** The queue of activities that only watch. It has many slots of its own, so that steps never wait for them. */
export const FLEET: Queue = 'slipway-fleet';
/** Id of the activity that watches the queues of a run. */
export const WATCH = 'watch-queues';

/** Values of a variant's axes: `{ python: 'cp312', platform: 'linux-x86_64' }`. */
export type Axes = Readonly<Record<string, string>>;

export const RELEASE_WORKFLOW = 'release';
export const PIPELINE_WORKFLOW = 'pipeline';

export interface RunHead {
  readonly name: string;
  /** Version of a release, label of a pipeline. */
  readonly version: string;
  readonly rehearsal: boolean;
  /** True for a pipeline. Absent for a release. */
  readonly pipeline?: true;
}

export const workflowTypeOf = ({ pipeline }: Pick<RunHead, 'pipeline'>): string =>
  pipeline ? PIPELINE_WORKFLOW : RELEASE_WORKFLOW;

/** `release/NAME/VERSION`, `rehearsal/NAME/VERSION` or `pipeline/NAME/LABEL`. */
export const workflowIdOf = ({ name, version, rehearsal, pipeline }: RunHead): string =>
  `${pipeline ? PIPELINE_WORKFLOW : rehearsal ? 'rehearsal' : RELEASE_WORKFLOW}/${name}/${version}`;

/** A Temporal Schedule appends the planned time to the workflow id that it was given. */
const SCHEDULED = /-(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}Z)$/;

interface IdNames {
  readonly kind: string;
  readonly name: string;
  readonly version: string;
}

/** Returns kind, name and version in the workflow id of a run. For a scheduled run the version is the time that the Schedule appended,
 * because its label is not planned yet. Null for any other workflow id. */
export function namesIn(workflowId: string): IdNames | null {
  const [kind, name, version] = workflowId.split('/');
  if (!kind || !name) return null;
  if (version) return { kind, name, version };
  const time = kind === PIPELINE_WORKFLOW ? SCHEDULED.exec(name)?.[1] : undefined;
  return time === undefined ? null : { kind, name: name.slice(0, -time.length - 1), version: time };
}

/** The id that a Schedule was given for its workflows, before it appended the time. */
export const unscheduled = (workflowId: string): string => workflowId.replace(SCHEDULED, '');

/** True if a Schedule gave a run its id. */
export const isScheduled = (workflowId: string): boolean => SCHEDULED.test(workflowId);

/** Whether a run with this head may have this workflow id. A Schedule starts a pipeline as `pipeline/NAME` or
 * `pipeline/NAME/LABEL`, with the time appended. */
export function mayBeCalled(workflowId: string, head: RunHead): boolean {
  const wanted = workflowIdOf(head);
  if (workflowId === wanted) return true;
  const bare = unscheduled(workflowId);
  return head.pipeline === true && bare !== workflowId && [wanted, `${PIPELINE_WORKFLOW}/${head.name}`].includes(bare);
}
