import type { Problem } from '../model/failure.js';
import { short } from '../model/digest.js';

export const serverUnreachable = (address: string, why: string): Problem => ({
  code: 'SERVER_UNREACHABLE',
  class: 'infra',
  message: `no Temporal server answers at ${address}: ${why}`,
  next: 'Start the services of this machine with `slipway up`, or name another server in TEMPORAL_ADDRESS. The server of `slipway up` takes only callers of its own home: SLIPWAY_HOME names it.',
});

export const runUnknown = (workflowId: string, run?: string): Problem => ({
  code: 'RUN_UNKNOWN',
  class: 'config',
  message: `there is no run ${workflowId}${run ? ` (${run})` : ''}`,
  next: '`temporal workflow list` shows what the server knows; the dev server forgets closed runs after a day. `slipway run` starts a release.',
});

/** @param pipeline whether the run may get a label of its own instead */
export const runHasOtherPlan = (workflowId: string, open: string, wanted: string, pipeline = false): Problem => ({
  code: 'RUN_HAS_OTHER_PLAN',
  class: 'config',
  message: `${workflowId} is open with plan ${short(open)}; this is plan ${short(wanted)}`,
  next: `\`slipway watch ${workflowId}\` to follow the open run, or the same command with \`--supersede\` to stop it first: what it finished is reused.${pipeline ? ' With `--label LABEL` this plan runs beside it.' : ''}`,
});

export const runIsPlanning = (workflowId: string): Problem => ({
  code: 'RUN_IS_PLANNING',
  class: 'config',
  message: `${workflowId} is open and still being planned, so it cannot be compared with this release yet`,
  next: `Type the same command again once \`slipway watch ${workflowId}\` shows its plan. If none appears, check the workers with \`slipway doctor\`.`,
});

export const serverRefused = (what: string, why: string): Problem => ({
  code: 'SERVER_REFUSED',
  class: 'infra',
  message: `Temporal refused to ${what}: ${why}`,
  next: 'Check every service with `slipway doctor`; read the log of Temporal under .slipway/log.',
});

export const noWorkerAnswers = (workflowId: string, why: string): Problem => ({
  code: 'NO_WORKER_ANSWERS',
  class: 'infra',
  message: `the run ${workflowId} exists, but no workflow worker answers for it: ${why}`,
  next: 'Check with `slipway doctor` whether the queue control is served; start its worker with `slipway up`.',
});

export const taskFails = (workflowId: string, tries: number): Problem => ({
  code: 'RUN_CODE_FAILS',
  class: 'bug',
  message: `${workflowId} does not continue: its workflow task failed or timed out ${tries} times in a row`,
  next: "Attach the run's history (`temporal workflow show --output json`) and the log of the workflow worker (.slipway/log/worker-workflows.log) to a report; the run continues on a build with the fix.",
});

export const runEnded = (workflowId: string, how: string): Problem => ({
  code: 'RUN_ENDED',
  class: 'config',
  message: `${workflowId} has ended already: ${how}`,
  next: `Read its result with \`slipway status ${workflowId}\`.`,
});

export const actionRefused = (action: string, why: string): Problem => ({
  code: 'ACTION_REFUSED',
  class: 'config',
  message: `the run refuses this ${action}: ${why}`,
  next: 'Look at the steps with `slipway status`, and at the actions in docs/operating.md.',
});

export const workflowCancelled = (workflowId: string, why: string): Problem => ({
  code: 'WORKFLOW_CANCELLED',
  class: 'cancelled',
  message: `${workflowId} was cancelled: ${why}`,
  next: 'Type the command again.',
});

export const bisectCancelled = (workflowId: string, why: string): Problem => ({
  code: 'BISECT_CANCELLED',
  class: 'cancelled',
  message: `${workflowId} was stopped before it had an answer: ${why}`,
  next: 'Type the same command again: what was built is reused, and the tries are made again.',
});

export const scheduleUnknown = (pipeline: string): Problem => ({
  code: 'SCHEDULE_UNKNOWN',
  class: 'config',
  message: `the pipeline ${JSON.stringify(pipeline)} has no schedule`,
  next: '`slipway schedule list` shows all schedules; `slipway schedule FILE --every 1h` makes one.',
});

export const scheduleOfOtherFile = (pipeline: string, file: string | null, wanted: string): Problem => ({
  code: 'SCHEDULE_OF_OTHER_FILE',
  class: 'config',
  message: `the schedule of the pipeline ${pipeline} runs ${file === null ? 'something that Slipway did not write' : JSON.stringify(file)}, not ${JSON.stringify(wanted)}`,
  next: `Type \`slipway schedule delete ${pipeline}\` first, or give this file's pipeline another name.`,
});
