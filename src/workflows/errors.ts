import { ApplicationFailure } from '@temporalio/workflow';
import { problem } from '../model/problem.js';
import { type Problem, problemText } from '../model/failure.js';
import type { Queue, StepId } from '../model/ids.js';

const REPORT =
  "Attach the run's history (`temporal workflow show --output json`) to a report; then start the release again, results are kept.";

export const stepStopped = problem.cancelled((step: StepId) => [
  'STEP_STOPPED',
  `${step} was asked to stop`,
  'Start the release again when it should go on: what is done is reused.',
]);
/** @param worker the last one that ran it. Null if unknown. */
export const workerLost = problem.lost(({ id, on }: { id: StepId; on: Queue }, why: string, worker: string | null) => [
  'WORKER_LOST',
  `the worker ${worker === null ? '' : `${worker} `}of ${id} on queue ${on} went silent: ${why}`,
  `Look for what ended it: the worker's log under .slipway/, and the memory of its machine. \`slipway doctor\` asks whether queue ${on} is served.`,
  { ...(worker !== null && { details: { worker } }) },
]);
export const workerTooOld = problem.config((kind: string, queue: Queue, why: string) => [
  'WORKER_KNOWS_NO_SUCH_KIND',
  `a worker on queue ${queue} does not know the kind ${kind}: ${why}`,
  'Restart the workers with this version: `slipway down`, then `slipway up`. Then start the release again.',
]);
/** @param worker its own name, or its identity in Temporal. Null if unknown. */
export const answerRefused = problem.infra((about: string, fault: string, worker: string | null) => [
  'ANSWER_REFUSED',
  `the answer to ${about} is not one that a worker of Slipway gives: it ${fault}${worker === null ? '' : `; it calls itself ${worker}`}`,
  'It is asked again. `slipway workers` shows strangers: end the process that answers, then `slipway retry STEP` if the step is held.',
  { ...(worker !== null && { details: { worker } }) },
]);
export const listRefused = problem.config((fault: string) => [
  'LIST_REFUSED',
  `an index lists what a publish step asks for, and this request is none: ${fault}`,
  'Type `slipway run FILE`: its publish steps ask for the pages of their wheels.',
]);
export const indexRenews = problem.infra(() => [
  'INDEX_RENEWS',
  'the index writer continues as new and takes no request meanwhile',
  'The publish step asks again by itself.',
]);
export const typeUnknown = problem.config((type: string) => [
  'WORKFLOW_TYPE_UNKNOWN',
  `there is no workflow of type ${JSON.stringify(type.slice(0, 80))} here`,
  'Start it again with `--type release`; of a pipeline the type is pipeline.',
]);
export const startedByHand = problem.config((type: string) => [
  'WORKFLOW_STARTED_BY_HAND',
  `a workflow of type ${type} is a part of a run, and only that run starts it`,
  'Type `slipway run FILE`, or start a workflow with `--type release`.',
]);
export const notRunningYet = problem.config(() => [
  'RUN_IS_PLANNING',
  'no step of this run has begun: it is still being planned',
  '`slipway watch` shows when its steps begin.',
]);

/** @param code the code of the codec's error */
export const notReadable = (step: StepId, queue: Queue, code: string, why: string): Problem => ({
  code,
  class: 'config',
  message: `a worker on queue ${queue} cannot read what ${step} was given: ${why}`,
  next: `Give the workers of ${queue} the keys that the others have (SLIPWAY_CODEC_KEYS) and start them again; then \`slipway retry ${step}\`.`,
});

export const unclassed = problem.bug((about: string, message: string, evidence: readonly string[]) => [
  'UNEXPECTED',
  `${about}: ${message}`,
  REPORT,
  { evidence },
]);
export const runContinues = problem.infra(() => [
  'RUN_CONTINUES',
  'the run has just continued as new and is loading its checkpoint',
  'Ask again in a second.',
]);
export const runWasReset = problem.config(() => [
  'RUN_WAS_RESET',
  'this run was made by a reset: its audit, its approvals and its results belong to the run before, which has ended',
  'Start the release again with `slipway run FILE`: what is done is reused. In place of a reset: `slipway retry --from STEP`.',
]);
export const continuedByHand = problem.config(() => [
  'CONTINUED_BY_HAND',
  'the input says that the run continues another, and no run continued as this one',
  'Start the release again with `slipway run FILE`: what is done is reused.',
]);
export const runHasEnded = problem.config(() => [
  'RUN_HAS_ENDED',
  'the run has ended and takes no more actions',
  'Start the release again: finished steps are reused.',
]);
export const notForABisect = problem.config((action: string) => [
  'BISECT_TAKES_NO_SUCH_ACTION',
  `a bisect has no steps: it does not take the action ${action}`,
  'Send pause, resume or cancel; `--run pipeline/NAME/LABEL` sends other actions to one of its tries.',
]);
export const gateNotReached = problem.config((gate: string) => [
  'GATE_NOT_WAITING',
  `gate ${gate} does not wait yet: the run is not planned yet`,
  'Wait until `slipway status` shows the gate; then everything is sealed, and you can approve or reject it.',
]);
export const notToldInTime = problem.infra((listener: string) => [
  'NOT_TOLD_IN_TIME',
  `notify.${listener} did not take the last message within a minute of the run's end`,
  'Check that its address answers. The run does not wait for it; `slipway status` shows the verdict.',
]);

/** Refuses an Update by its shape. The sender gets the problem. */
export const shapeRefused = (refused: Problem): ApplicationFailure =>
  ApplicationFailure.nonRetryable(problemText(refused), refused.code);
