/** `section/name/variant`, e.g. `wheels/skiff/cp312/linux-x86_64`; `/` separates, parts are [A-Za-z0-9._-]+. */
export type StepId = string;

/** One execution of a plan: Temporal's run id of the run's first history. Names `runs/<run>/…` in the store. */
export type RunId = string;

/** Task queue of a kind of machine: `control`, `linux-x86_64` … */
export type Queue = string;

/** The queue that serves workflows and steps that need no particular machine. */
export const CONTROL: Queue = 'control';

/** The queue of activities that only watch: served beside `control` by many slots, so that steps never wait for them. */
export const FLEET: Queue = 'slipway-fleet';

/** Values of a variant's axes: `{ python: 'cp312', platform: 'linux-x86_64' }`. */
export type Axes = Readonly<Record<string, string>>;

export const RELEASE_WORKFLOW = 'release';

export const releaseWorkflowId = (name: string, version: string, rehearsal: boolean): string =>
  `${rehearsal ? 'rehearsal' : 'release'}/${name}/${version}`;
