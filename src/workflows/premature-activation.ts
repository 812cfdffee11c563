import type { WorkflowInterceptors } from '@temporalio/workflow';

type Internals = NonNullable<WorkflowInterceptors['internals']>[number];
type Activation = Parameters<NonNullable<Internals['activate']>>[0]['activation'];

/** The server refuses it: an activity needs a type and a time limit. */
const REFUSED_BY_SERVER = { scheduleActivity: { seq: 0xffff_ffff, activityId: 'ahead-of-history' } };

/** Keeps a cached workflow that ran ahead of its history from writing history.
 *
 * The server can send a query with the whole history, including events that no workflow task has delivered yet. SDK 1.24.0
 * applies these events to the cached workflow before it asks the query; the next workflow task delivers only the rest. The
 * workflow's commands then follow two activations where a replay sees one, and the run fails as nondeterministic for ever.
 *
 * The query gets its answer. The commands of that activation become one that the server refuses, so the next workflow task
 * fails once, the SDK drops the cached workflow, and the second attempt replays the history: docs/decisions/determinism.md. */
export const interceptors = (): WorkflowInterceptors => {
  let last: Activation | null = null;
  let isPremature = false;
  const guard: Internals = {
    activate(input, next) {
      const { activation } = input;
      const asksOnly = (activation.jobs ?? []).every(({ queryWorkflow }) => queryWorkflow);
      isPremature = !asksOnly && last !== null && bringsEventsWithoutTask(last, activation);
      if (!asksOnly) last = activation;
      next(input);
    },
    concludeActivation: (input, next) => next(isPremature ? { commands: [REFUSED_BY_SERVER] } : input),
  };
  return { internals: [guard] };
};

/** Each workflow task starts at a time and a history size of its own. */
const bringsEventsWithoutTask = (before: Activation, now: Activation): boolean =>
  startOf(before) === startOf(now) && (before.historyLength ?? 0) < (now.historyLength ?? 0);

const startOf = ({ timestamp, historySizeBytes }: Activation): string =>
  `${timestamp?.seconds}.${timestamp?.nanos} ${historySizeBytes}`;
