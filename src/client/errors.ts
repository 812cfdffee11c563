import type { Problem } from '../model/failure.js';
import { short } from '../model/digest.js';

export const serverUnreachable = (address: string, why: string): Problem => ({
  code: 'SERVER_UNREACHABLE',
  class: 'infra',
  message: `no Temporal server answers at ${address}: ${why}`,
  next: '`slipway up` starts the services of this machine; another server is named by TEMPORAL_ADDRESS.',
});

export const runUnknown = (workflowId: string, run?: string): Problem => ({
  code: 'RUN_UNKNOWN',
  class: 'config',
  message: `there is no run ${workflowId}${run ? ` (${run})` : ''}`,
  next: '`temporal workflow list` shows what the server knows; the dev server forgets closed runs after a day. `slipway run` starts a release.',
});

export const runHasOtherPlan = (workflowId: string, open: string, wanted: string): Problem => ({
  code: 'RUN_HAS_OTHER_PLAN',
  class: 'config',
  message: `${workflowId} is open with plan ${short(open)}; this is plan ${short(wanted)}`,
  next: `\`slipway watch ${workflowId}\` to follow the open run, or \`slipway run FILE --supersede\` to stop it first: what it finished is reused.`,
});

export const runIsPlanning = (workflowId: string): Problem => ({
  code: 'RUN_IS_PLANNING',
  class: 'config',
  message: `${workflowId} is open and still being planned: nobody knows yet whether it is the same release`,
  next: `\`slipway watch ${workflowId}\` shows it; type the same command again when it has its plan. \`slipway doctor\` tells whether a worker plans.`,
});

export const serverRefused = (what: string, why: string): Problem => ({
  code: 'SERVER_REFUSED',
  class: 'infra',
  message: `Temporal refused to ${what}: ${why}`,
  next: '`slipway doctor` asks every service; the log of Temporal is under .slipway/.',
});

export const noWorkerAnswers = (workflowId: string, why: string): Problem => ({
  code: 'NO_WORKER_ANSWERS',
  class: 'infra',
  message: `the run ${workflowId} is there, but no workflow worker tells its status: ${why}`,
  next: '`slipway doctor` shows whether the queue control is served; `slipway up` starts its worker.',
});

export const taskFails = (workflowId: string, tries: number): Problem => ({
  code: 'RUN_CODE_FAILS',
  class: 'bug',
  message: `${workflowId} does not go on: its own code failed, or was not answered, ${tries} times in a row`,
  next: "Attach the run's history (`temporal workflow show --output json`) and the log of the worker of workflows (.slipway/log/worker-workflows.log) to a report; a build that mends it goes on with the run.",
});

export const runEnded = (workflowId: string, how: string): Problem => ({
  code: 'RUN_ENDED',
  class: 'config',
  message: `${workflowId} has ended already: ${how}`,
  next: `\`slipway status ${workflowId}\` tells what became of it.`,
});

export const wordRefused = (word: string, why: string): Problem => ({
  code: 'WORD_REFUSED',
  class: 'config',
  message: `the run does not take this ${word}: ${why}`,
  next: '`slipway status` shows the steps; docs/operating.md the words.',
});
