import type { Skeleton } from '../../model/plan.js';
import { CacheLookup } from '../cache/cache-lookup.js';
import type { RunRecord, SchedulerSnapshot } from '../checkpoint/snapshot.js';
import { GatePolicy } from '../gates/gate-policy.js';
import { Reminders } from '../notify/reminders.js';
import { Outages } from '../outages/outages.js';
import { UnservedQueues } from '../outages/unserved-queues.js';
import { AttemptResults } from './attempt-results.js';
import { Cancelling } from './cancelling.js';
import { Conflicts } from './conflicts.js';
import { putStates, type Policies } from './policies.js';
import { RunGraph } from './run-graph.js';
import type { SchedulerOptions } from './scheduler.js';
import { ActionAnswers } from './action-answers.js';

export interface SchedulerParts extends Policies {
  readonly graph: RunGraph;
  readonly cancelling: Cancelling;
  readonly attemptResults: AttemptResults;
  readonly answers: ActionAnswers;
  readonly policies: Policies;
}

export interface PartsHost {
  abort(step: number): void;
  pause(why: string | null): void;
  /** Returns by how much the run's own time is ahead of the clock, in milliseconds. */
  aheadMs(): number;
}

/** Creates and connects the parts of a scheduler.
 * @param resumed snapshot of the run's previous scheduler */
export function wire(
  skeleton: Skeleton,
  options: SchedulerOptions,
  state: RunRecord,
  resumed: SchedulerSnapshot | null,
  host: PartsHost,
): SchedulerParts {
  const { abort, pause, aheadMs } = host;
  const { random } = options;
  const endsInstead = (step: number): boolean => cancelling.endsInstead(step);
  const graph: RunGraph = new RunGraph(skeleton, resumed?.nowMs ?? options.nowMs, endsInstead, resumed?.steps);
  graph.round = state.round;
  graph.engine = state.engine;
  const stops = !skeleton.rehearsal || options.stopAtGates === true;
  const gateOptions = { stops, startedBy: options.startedBy ?? null, aheadMs, nonce: () => drawNonce(random) };
  const gates = new GatePolicy(graph, gateOptions);
  const conflicts = new Conflicts(graph);
  const cacheLookup: CacheLookup = new CacheLookup(graph, skeleton, {
    found: (step, ending) => attemptResults.found(step, ending),
  });
  const goOn = (): void => (pause(null), outages.stop());
  const cancelling = new Cancelling(graph, state, { conflicts, cacheLookup, abort, goOn });
  const unservedQueues = new UnservedQueues(graph.steps, graph.cells);
  unservedQueues.set(skeleton.unserved ?? []);
  const reminders = new Reminders(graph, skeleton.notify?.remind ?? null, () => outages.told());
  const outages: Outages = new Outages(graph, {
    random,
    isServed: (step) => !unservedQueues.holds(step),
    stops: (step) => conflicts.stops(step),
    fail: (step, problem) => attemptResults.failed(step, problem),
  });
  const shared = { unservedQueues, conflicts, cacheLookup, outages, abort };
  const attemptResults = new AttemptResults(graph, {
    ...{ ...options, ...shared, retries: skeleton.retries },
    sealed: (digest) => (state.sealed = digest),
    cancelling: () => state.cancelled !== null,
    cancels: (step) => cancelling.why(step),
    stopSiblings: (failed) => cancelling.stopSiblings(failed),
  });
  const answers = new ActionAnswers(graph, { ...shared, cancelling, attemptResults, gates, pause });
  const { windows } = graph;
  const { retryBudget } = attemptResults;
  const policies = { unservedQueues, conflicts, gates, cacheLookup, outages, reminders, retryBudget, windows };
  if (resumed !== null) putStates(policies, resumed.policies);
  return { ...policies, graph, cancelling, attemptResults, answers, policies };
}

/** Returns the nonce of a gate's opening: 128 random bits in hex.
 * @param random uniform in [0, 1) */
const drawNonce = (random: () => number): string => [0, 1, 2, 3].map(() => word(random())).join('');

const word = (random: number): string =>
  Math.floor(random * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
