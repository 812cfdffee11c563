import { ApplicationFailure } from '@temporalio/workflow';
import type { Problem } from '../model/failure.js';
import type { Queue, StepId } from '../model/ids.js';

const REPORT =
  "Attach the run's history (`temporal workflow show --output json`) to a report; then start the release again, results are kept.";

export const stepStopped = (step: StepId): Problem => ({
  code: 'STEP_STOPPED',
  class: 'cancelled',
  message: `${step} was asked to stop`,
  next: 'Start the release again when it should go on: what is done is reused.',
});

/** @param worker the last one that ran it. Null if unknown. */
export const workerLost = ({ id, on }: { id: StepId; on: Queue }, why: string, worker: string | null): Problem => ({
  code: 'WORKER_LOST',
  class: 'lost',
  message: `the worker ${worker === null ? '' : `${worker} `}of ${id} on queue ${on} went silent: ${why}`,
  next: `Look for what ended it: the worker's log under .slipway/, and the memory of its machine. \`slipway doctor\` asks whether queue ${on} is served.`,
  ...(worker !== null && { details: { worker } }),
});

export const workerTooOld = (kind: string, queue: Queue, why: string): Problem => ({
  code: 'WORKER_KNOWS_NO_SUCH_KIND',
  class: 'config',
  message: `a worker on queue ${queue} does not know the kind ${kind}: ${why}`,
  next: 'Restart the workers with this version: `slipway down`, then `slipway up`. Then start the release again.',
});

/** @param worker its own name, or its identity in Temporal. Null if unknown. */
export const answerRefused = (about: string, fault: string, worker: string | null): Problem => ({
  code: 'ANSWER_REFUSED',
  class: 'infra',
  message: `the answer to ${about} is not one that a worker of Slipway gives: it ${fault}${worker === null ? '' : `; it calls itself ${worker}`}`,
  next: 'It is asked again. `slipway workers` shows strangers: end the process that answers, then `slipway retry STEP` if the step is held.',
  ...(worker !== null && { details: { worker } }),
});

export const listRefused = (fault: string): Problem => ({
  code: 'LIST_REFUSED',
  class: 'config',
  message: `an index lists what a publish step asks for, and this request is none: ${fault}`,
  next: 'Type `slipway run FILE`: its publish steps ask for the pages of their wheels.',
});

export const indexRenews = (): Problem => ({
  code: 'INDEX_RENEWS',
  class: 'infra',
  message: 'the index writer continues as new and takes no request meanwhile',
  next: 'The publish step asks again by itself.',
});

export const typeUnknown = (type: string): Problem => ({
  code: 'WORKFLOW_TYPE_UNKNOWN',
  class: 'config',
  message: `there is no workflow of type ${JSON.stringify(type.slice(0, 80))} here`,
  next: 'Start it again with `--type release`; of a pipeline the type is pipeline.',
});

export const startedByHand = (type: string): Problem => ({
  code: 'WORKFLOW_STARTED_BY_HAND',
  class: 'config',
  message: `a workflow of type ${type} is a part of a run, and only that run starts it`,
  next: 'Type `slipway run FILE`, or start a workflow with `--type release`.',
});

export const notRunningYet = (): Problem => ({
  code: 'RUN_IS_PLANNING',
  class: 'config',
  message: 'no step of this run has begun: it is still being planned',
  next: '`slipway watch` shows when its steps begin.',
});

/** @param code the code of the codec's error */
export const notReadable = (step: StepId, queue: Queue, code: string, why: string): Problem => ({
  code,
  class: 'config',
  message: `a worker on queue ${queue} cannot read what ${step} was given: ${why}`,
  next: `Give the workers of ${queue} the keys that the others have (SLIPWAY_CODEC_KEYS) and start them again; then \`slipway retry ${step}\`.`,
});

export const unclassed = (about: string, message: string, evidence: readonly string[]): Problem => ({
  code: 'UNEXPECTED',
  class: 'bug',
  message: `${about}: ${message}`,
  next: REPORT,
  evidence,
});

export const runContinues = (): Problem => ({
  code: 'RUN_CONTINUES',
  class: 'infra',
  message: 'the run has just continued as new and is loading its checkpoint',
  next: 'Ask again in a second.',
});

export const continuedByHand = (): Problem => ({
  code: 'CONTINUED_BY_HAND',
  class: 'config',
  message: 'the input says that the run continues another, and no run continued as this one',
  next: 'Start the release again with `slipway run FILE`: what is done is reused.',
});

export const runHasEnded = (): Problem => ({
  code: 'RUN_HAS_ENDED',
  class: 'config',
  message: 'the run has ended and takes no more actions',
  next: 'Start the release again: finished steps are reused.',
});

export const notForABisect = (action: string): Problem => ({
  code: 'BISECT_TAKES_NO_SUCH_ACTION',
  class: 'config',
  message: `a bisect has no steps: it does not take the action ${action}`,
  next: 'Send pause, resume or cancel; `--run pipeline/NAME/LABEL` sends other actions to one of its tries.',
});

export const gateNotReached = (gate: string): Problem => ({
  code: 'GATE_NOT_WAITING',
  class: 'config',
  message: `gate ${gate} does not wait yet: the run is not planned yet`,
  next: 'Wait until `slipway status` shows the gate; then everything is sealed, and you can approve or reject it.',
});

export const notToldInTime = (listener: string): Problem => ({
  code: 'NOT_TOLD_IN_TIME',
  class: 'infra',
  message: `notify.${listener} did not take the last message within a minute of the run's end`,
  next: 'Check that its address answers. The run does not wait for it; `slipway status` shows the verdict.',
});

/** Refuses an Update by its shape. The sender gets the problem. */
export const shapeRefused = ({ code, message, next }: Problem): ApplicationFailure =>
  ApplicationFailure.nonRetryable(`${code}: ${message}. ${next}`, code);
