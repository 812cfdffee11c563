import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  defineUpdate,
  proxyActivities,
  setHandler,
  setWorkflowOptions,
  workflowInfo,
} from '@temporalio/workflow';
import { type Problem, problemText } from '../model/failure.js';
import { FLEET } from '../model/ids.js';
import { LIST, MOST_REQUESTS, RENEWING, requestsFault } from '../model/index-writer.js';
import type { IndexRequest, ListOutcome, WritePages } from '../model/index-writer.js';
import { indexRenews, listRefused } from './errors.js';
import { unlessFatal, withoutStack } from './fatal-errors.js';
import { watchHistory } from './long-history.js';
import { problemsOf } from './problems-of.js';
import { COMMON } from './schedule.js';

/** Requests come in bursts. The next request starts a writer that has ended. */
const LINGER = '2 seconds';

/** A publisher occupies a slot of `control` while it waits for its pages, so they are drawn on the queue of watches. */
const { writePages } = proxyActivities<{ writePages: WritePages }>({
  ...COMMON,
  taskQueue: FLEET,
  summary: 'drawing pages',
  startToCloseTimeout: '10 minutes',
  cancellationType: 'TRY_CANCEL',
});

const listUpdate = defineUpdate<readonly ListOutcome[], [readonly IndexRequest[]]>(LIST);

interface Asked {
  readonly request: IndexRequest;
  outcome: ListOutcome | null;
}

export interface IndexInput {
  /** Most events of one history, for tests. */
  readonly continueAfter?: number;
}

/** The only writer of the pages of one static index. Requests that come while pages are drawn are drawn together
 * afterwards. It ends when nobody asks. */
export async function index(input: IndexInput = {}): Promise<void> {
  const queue: Asked[] = [];
  let isRenewing = false;
  setHandler(listUpdate, (requests) => listed(queue, requests), {
    validator: (requests) => assertRequests(requests, isRenewing),
    description:
      'Lists wheels whose entries exist: [{plan, step, run, names: ["PLATFORM/PROJECT"]}], or prunes: [{prune: ORDER}]',
  });
  const isLong = watchHistory(input.continueAfter);
  for (;;) {
    isRenewing = isLong() || workflowInfo().continueAsNewSuggested;
    const some = isRenewing ? queue.length > 0 : await condition(() => queue.length > 0, LINGER);
    if (some) await unlessFatal(draw(queue.splice(0, MOST_REQUESTS)));
    if (some || queue.length > 0) continue;
    await condition(allHandlersFinished);
    if (queue.length > 0) continue;
    if (isRenewing) await continueAsNew<typeof index>(input);
    return;
  }
}
// An unexpected error fails the workflow. By default it would fail the workflow task and be retried for ever.
// A busy writer may go on for weeks, so it moves to the current build. The server refuses each task of a worker without a
// deployment that names a behaviour.
setWorkflowOptions(
  () => ({
    failureExceptionTypes: [Error],
    ...(workflowInfo().currentDeploymentVersion?.deploymentName && { versioningBehavior: 'AUTO_UPGRADE' as const }),
  }),
  index,
);

async function listed(queue: Asked[], requests: readonly IndexRequest[]): Promise<readonly ListOutcome[]> {
  const asked = requests.map((request): Asked => ({ request, outcome: null }));
  queue.push(...asked);
  await condition(() => asked.every(({ outcome }) => outcome !== null));
  return asked.map(({ outcome }) => outcome!);
}

async function draw(batch: readonly Asked[]): Promise<void> {
  const outcomes = await drawn(batch.map(({ request }) => request));
  batch.forEach((one, at) => (one.outcome = outcomes[at]!));
}

/** A failure of the activity is the answer to each request: its publisher decides whether to ask again. */
async function drawn(requests: readonly IndexRequest[]): Promise<readonly ListOutcome[]> {
  try {
    return (await writePages({ requests })).outcomes;
  } catch (error) {
    const problems = problemsOf(error, { id: 'drawing pages', kind: 'writePages', on: FLEET });
    return requests.map(() => ({ problems }));
  }
}

function assertRequests(payload: unknown, isRenewing: boolean): void {
  if (isRenewing) throw refusal(indexRenews(), RENEWING);
  const fault = requestsFault(payload);
  if (fault !== null) throw refusal(listRefused(fault));
}

const refusal = (problem: Problem, type: string = problem.code): ApplicationFailure =>
  withoutStack(ApplicationFailure.nonRetryable(problemText(problem), type, { problems: [problem] }));
