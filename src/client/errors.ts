import { problem } from '../model/problem.js';
import { short } from '../model/digest.js';
import { quoted } from '../model/quoted.js';

export const serverUnreachable = problem.infra((address: string, why: string) => [
  'SERVER_UNREACHABLE',
  `no Temporal server answers at ${address}: ${why}`,
  'Start the services of this machine with `slipway up`, or name another server in TEMPORAL_ADDRESS. The server of `slipway up` takes only callers of its own home: SLIPWAY_HOME names it.',
]);
export const serverForeign = problem.config((address: string, why: string) => [
  'SERVER_FOREIGN',
  `the server at ${address} is not the one that was asked for: ${why}`,
  'Nothing was started there. Check the home that SLIPWAY_HOME names with `slipway doctor`; `slipway up` starts its own server. A server of your own: correct TEMPORAL_ADDRESS and its TEMPORAL_TLS_… variables.',
]);
export const otherMark = problem.config((address: string, namespace: string, own: string, asked?: string) => [
  'SERVER_FOREIGN',
  `the namespace ${namespace} at ${address} is marked ${JSON.stringify(own)}, and ${asked === undefined ? 'no mark' : JSON.stringify(asked)} was asked for`,
  `Nothing was started there. Correct TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE; if you mean this one, set SLIPWAY_MARK=${quoted(own)}.`,
]);
export const namespaceUnmarked = problem.config((address: string, namespace: string, asked: string) => [
  'NAMESPACE_UNMARKED',
  `the namespace ${namespace} at ${address} has no mark, and ${JSON.stringify(asked)} was asked for`,
  `Correct TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE; if it is yours, mark it: \`temporal operator namespace update -n ${namespace} --data slipway=${quoted(asked)}\`.`,
]);
export const runUnknown = problem.config((workflowId: string, run?: string) => [
  'RUN_UNKNOWN',
  `there is no run ${workflowId}${run ? ` (${run})` : ''}`,
  '`temporal workflow list` shows what the server knows; the dev server forgets closed runs after a day. `slipway run` starts a release.',
]);
/** @param pipeline whether the run may get a label of its own instead */
export const runHasOtherPlan = problem.config((workflowId: string, open: string, wanted: string, pipeline = false) => [
  'RUN_HAS_OTHER_PLAN',
  `${workflowId} is open with plan ${short(open)}; this is plan ${short(wanted)}`,
  `\`slipway watch ${workflowId}\` to follow the open run, or the same command with \`--supersede\` to stop it first: what it finished is reused.${pipeline ? ' With `--label LABEL` this plan runs beside it.' : ''}`,
]);
export const runIsPlanning = problem.config((workflowId: string) => [
  'RUN_IS_PLANNING',
  `${workflowId} is open and still being planned, so it cannot be compared with this release yet`,
  `Type the same command again once \`slipway watch ${workflowId}\` shows its plan. If none appears, check the workers with \`slipway doctor\`.`,
]);
export const serverRefused = problem.infra((what: string, why: string) => [
  'SERVER_REFUSED',
  `Temporal refused to ${what}: ${why}`,
  'Check every service with `slipway doctor`; read the log of Temporal under .slipway/log.',
]);
export const noWorkerAnswers = problem.infra((workflowId: string, why: string) => [
  'NO_WORKER_ANSWERS',
  `the run ${workflowId} exists, but no workflow worker answers for it: ${why}`,
  'Check with `slipway doctor` whether the queue control is served; start its worker with `slipway up`.',
]);
export const taskFails = problem.bug((workflowId: string, tries: number) => [
  'RUN_CODE_FAILS',
  `${workflowId} does not continue: its workflow task failed or timed out ${tries} times in a row`,
  "Attach the run's history (`temporal workflow show --output json`) and the log of the workflow worker (.slipway/log/worker-workflows.log) to a report; the run continues on a build with the fix.",
]);
export const runEnded = problem.config((workflowId: string, how: string) => [
  'RUN_ENDED',
  `${workflowId} has ended already: ${how}`,
  `Read its result with \`slipway status ${workflowId}\`.`,
]);
export const actionRefused = problem.config((action: string, why: string) => [
  'ACTION_REFUSED',
  `the run refuses this ${action}: ${why}`,
  'Look at the steps with `slipway status`, and at the actions in docs/operating.md.',
]);
export const workflowCancelled = problem.cancelled((workflowId: string, why: string) => [
  'WORKFLOW_CANCELLED',
  `${workflowId} was cancelled: ${why}`,
  'Type the command again.',
]);
export const bisectCancelled = problem.cancelled((workflowId: string, why: string) => [
  'BISECT_CANCELLED',
  `${workflowId} was stopped before it had an answer: ${why}`,
  'Type the same command again: what was built is reused, and the tries are made again.',
]);
export const scheduleUnknown = problem.config((pipeline: string) => [
  'SCHEDULE_UNKNOWN',
  `the pipeline ${JSON.stringify(pipeline)} has no schedule`,
  '`slipway schedule list` shows all schedules; `slipway schedule FILE --every 1h` makes one.',
]);
export const scheduleOfOtherFile = problem.config((pipeline: string, file: string | null, wanted: string) => [
  'SCHEDULE_OF_OTHER_FILE',
  `the schedule of the pipeline ${pipeline} runs ${file === null ? 'something that Slipway did not write' : JSON.stringify(file)}, not ${JSON.stringify(wanted)}`,
  `Type \`slipway schedule delete ${pipeline}\` first, or give this file's pipeline another name.`,
]);
export const deploymentsUnsupported = problem.config((why: string) => [
  'DEPLOYMENTS_UNSUPPORTED',
  `this server has no worker deployments: ${why}`,
  'Set system.enableDeploymentVersions to true on the server, 1.32 or later; or start workers without `--deployment`.',
]);
