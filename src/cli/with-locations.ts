import type { SourceLocation, Problem } from '../model/failure.js';
import type { RunStatus } from '../model/messages.js';
import { records, type StartedFrom } from '../model/run-folder.js';
import { buildkiteJob } from '../model/tests/buildkite.js';
import type { Ports } from './ports.js';

/** Failure classes that a person may fix in the release file. Their problems get a place in it. */
const OF_THE_FILE: readonly Problem['class'][] = ['config', 'product'];

/** Returns the status with places of problems in the release file. A problem without a path gets the place of its step's entry. */
export function withLocations(status: RunStatus, locate: (path: string) => SourceLocation | null): RunStatus {
  const put = (problem: Problem, entry: string): Problem => {
    const isOfTheFile = problem.path !== undefined || OF_THE_FILE.includes(problem.class);
    const place = isOfTheFile ? locate(problem.path ?? entry) : null;
    return problem.place || !place ? problem : { ...problem, place };
  };
  return {
    ...status,
    problems: status.problems.map((problem) => put(problem, '')),
    steps: status.steps.map((step) => ({
      ...step,
      ...(step.problems && { problems: step.problems.map((problem) => put(problem, entryOf(step.id))) }),
    })),
  };
}

/** `wheels/skiff/cp312` is made by `wheels.skiff`; `verify/index/cp312` is asked for by `publish.index`. */
const entryOf = (step: string): string =>
  step
    .split('/')
    .slice(0, 2)
    .join('.')
    .replace(/^verify\./, 'publish.');

/** Stores the release file that a run was started from, and the Buildkite job. */
export async function noteFile(run: string, file: string, ports: Ports): Promise<void> {
  const buildkite = buildkiteJob(ports.env['BUILDKITE_BUILD_URL'], ports.env['BUILDKITE_JOB_ID']);
  const from: StartedFrom = {
    file: file.startsWith('/') ? file : `${ports.cwd}/${file}`,
    ...(buildkite !== null && { buildkite }),
  };
  await (await ports.store()).create(records.file(run), from);
}

/** Returns the path of the release file that a run was started from, relative to the current folder if it is below. Null if the run was
 * started elsewhere. */
export async function shownFile(run: string, ports: Ports): Promise<string | null> {
  const from = await (await ports.store()).read<StartedFrom>(records.file(run));
  const here = `${ports.cwd}/`;
  return from && (from.file.startsWith(here) ? from.file.slice(here.length) : from.file);
}

/** Returns the status with places in the release file that the run was started from, if that file is known here. Without problems
 * it reads no store. */
export async function placedInFile(status: RunStatus, ports: Ports): Promise<RunStatus> {
  if (![status, ...status.steps].some(({ problems }) => problems?.length)) return status;
  const shown = await shownFile(status.run, ports);
  return shown === null ? status : withLocations(status, await ports.locate(shown));
}
