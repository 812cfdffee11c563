import type { WorkflowInterceptors } from '@temporalio/workflow';

type Internals = NonNullable<WorkflowInterceptors['internals']>[number];
type Activation = Parameters<NonNullable<Internals['activate']>>[0]['activation'];
type Commands = Parameters<NonNullable<Internals['concludeActivation']>>[0]['commands'];

/** The server refuses it: an activity needs a type and a time limit. */
const REFUSED_BY_SERVER = { scheduleActivity: { seq: 0xffff_ffff, activityId: 'ahead-of-history' } };

/** The end of one workflow task, and the next one: completed, scheduled, started. */
const EVENTS_OF_A_TASK = 3;

/** Keeps a cached workflow that ran ahead of its history from writing history.
 *
 * The server can send a query with the whole history, including events that no workflow task has delivered yet. SDK 1.24.0
 * applies these events to the cached workflow before it asks the query; the next workflow task delivers only the rest. The
 * workflow's commands then follow two activations where a replay sees one, and the run fails as nondeterministic for ever.
 *
 * The query gets its answer. The commands of that activation, or of the next one, become one that the server refuses, so the
 * workflow task fails once, the SDK drops the cached workflow, and the second attempt replays the history:
 * docs/decisions/determinism.md. */
export const interceptors = (): WorkflowInterceptors => {
  let last: Activation | null = null;
  let isAsked = false;
  let mayBeEarly = false;
  let written = 0;
  let isPremature = false;
  const guard: Internals = {
    activate(input, next) {
      const { activation } = input;
      const asksOnly = (activation.jobs ?? []).every(({ queryWorkflow }) => queryWorkflow);
      isPremature =
        !asksOnly && last !== null && (bringsEventsWithoutTask(last, activation) || (isAsked && mayBeEarly));
      if (!asksOnly) {
        mayBeEarly = last !== null && bringsMoreThanTask(last, written, activation);
        last = activation;
      }
      isAsked = asksOnly;
      next(input);
    },
    concludeActivation(input, next) {
      if (!isAsked) written = eventsOf(input.commands);
      return next(isPremature ? { commands: [REFUSED_BY_SERVER] } : input);
    },
  };
  return { internals: [guard] };
};

/** Each workflow task starts at a time and a history size of its own. */
const bringsEventsWithoutTask = (before: Activation, now: Activation): boolean =>
  startOf(before) === startOf(now) && lengthOf(before) < lengthOf(now);

const startOf = ({ timestamp, historySizeBytes }: Activation): string =>
  `${timestamp?.seconds}.${timestamp?.nanos} ${historySizeBytes}`;
const lengthOf = ({ historyLength }: Activation): number => historyLength ?? 0;

/** A workflow task that failed is among the events, and the SDK takes time and history size from it. So they do not tell whether
 * another task started after it. If a query follows, it may have brought these events. */
const bringsMoreThanTask = (before: Activation, written: number, now: Activation): boolean =>
  lengthOf(now) - lengthOf(before) > written + eventsBehind(now) + EVENTS_OF_A_TASK;

/** Events that the jobs of an activation stand for. An activity's start is written together with its end. */
const eventsBehind = ({ jobs }: Activation): number =>
  (jobs ?? []).reduce((sum, job) => sum + (job.resolveActivity ? 2 : job.doUpdate || job.queryWorkflow ? 0 : 1), 0);

/** Events that commands write. A refused update writes none; a patch has its marker and a search attribute. */
const eventsOf = (commands: Commands): number =>
  commands.reduce((sum, { respondToQuery, updateResponse, setPatchMarker }) => {
    if (respondToQuery || updateResponse?.rejected) return sum;
    return sum + (setPatchMarker ? 2 : 1);
  }, 0);
