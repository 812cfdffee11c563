import { grouped, type Groups } from '../model/grouped.js';
import type { Queue, StepId } from '../model/ids.js';
import { KINDS } from '../model/kinds.js';
import type { Dropped, Plan, Step, Unserved } from '../model/plan.js';
import type { Context } from './context.js';
import { proveQueueId } from './planned-step.js';

/** Adds the release file's rule for an unserved queue to steps: the entry's own, else its platform's. */
export function answered(steps: readonly Step[], context: Context): Step[] {
  const own = steps.map((step) => {
    const unserved = answerOf(step, context);
    return unserved === null ? step : { ...step, unserved };
  });
  return withAnswersOfUsers(own);
}

/** Gives a helper the rule of its users: wait if one of them may wait, drop if all may. Repeats until nothing changes,
 * because a helper may serve another. */
function withAnswersOfUsers(steps: Step[]): Step[] {
  if (steps.every(({ unserved }) => unserved === undefined)) return steps;
  const users = usersOf(steps);
  const next = steps.map((step) => {
    if (!KINDS[step.kind].helps || step.unserved !== undefined) return step;
    const answers = (users.get(step.id) ?? []).map((user) => user.step.unserved);
    if (answers.length === 0 || answers.some((said) => said === undefined || said.answer === 'fail')) return step;
    return { ...step, unserved: answers.find((said) => said?.answer === 'wait') ?? answers[0]! };
  });
  return next.every((step, at) => step === steps[at]) ? next : withAnswersOfUsers(next);
}

interface Answering {
  readonly unserved?: Omit<Unserved, 'said'> | undefined;
}

function answerOf({ id, axes, stage, on }: Step, context: Context): Unserved | null {
  if (stage === 'prove') return null;
  const [section, name] = id.split('/') as [string, string];
  const entries = (context.release as unknown as Record<string, Record<string, Answering> | undefined>)[section];
  const { platforms = [] } = context.release;
  const platform = axes['platform'] ?? '';
  const own = entries?.[name]?.unserved;
  if (own) return { ...own, said: `${section}.${name}` };
  // A platform's rule is about its own machines. Its builds elsewhere wait for their builder's queue.
  const ownQueue = context.facts.platforms[platform]?.queue === on;
  const general = Array.isArray(platforms) || !ownQueue ? undefined : platforms[platform]?.unserved;
  return general ? { ...general, said: `platforms.${platform}` } : null;
}

export interface Served {
  readonly plan: Plan;
  /** Unserved queues whose steps may neither be dropped nor wait. */
  readonly refused: readonly Queue[];
}

/** Returns the plan without droppable steps of unserved queues and without their dependents; each has its reason. Steps
 * that may wait are decoupled, so that other queues do not wait for the unserved queue's proof. */
export function withoutUnserved(plan: Plan, unserved: readonly Queue[]): Served {
  const gone = whyLeftOut(plan, unserved);
  const left = gone.size === 0 ? plan : reduced(plan, gone, unserved);
  const stuck = left.steps.filter(({ on, stage }) => unserved.includes(on) && stage !== 'prove');
  const refused = unserved.filter((queue) =>
    stuck.some(({ on, unserved: said }) => on === queue && said?.answer !== 'wait'),
  );
  return { plan: setFree(left, new Set(stuck.map(({ on }) => on))), refused };
}

function whyLeftOut(plan: Plan, unserved: readonly Queue[]): ReadonlyMap<StepId, string> {
  const first = new Map<StepId, string>();
  for (const { id, on, unserved: said } of plan.steps)
    if (said?.answer === 'drop' && unserved.includes(on))
      first.set(id, `nobody serves the queue ${on} (${said.said}.unserved: drop)`);
  const gone = new Map(first);
  const users = usersOf(plan.steps);
  for (const id of gone.keys())
    // and those that come meanwhile
    for (const { step } of users.get(id) ?? []) {
      const cause = gone.has(step.id) ? null : causeOf(step, gone);
      if (cause === null) continue;
      first.set(step.id, first.get(cause)!);
      gone.set(step.id, `needs ${cause}, which is left out: ${first.get(cause)!}`);
    }
  return gone;
}

/** Returns the steps that need a step, and the indexes that list it. */
const usersOf = (steps: readonly Step[]): Groups<StepId, { readonly id: StepId; readonly step: Step }> => {
  const listed = (step: Step): readonly StepId[] =>
    step.kind === 'assembleIndex' ? step.params.children.map((child) => child.step) : [];
  const uses = steps.flatMap((step) => [...step.needs, ...listed(step)].map((id) => ({ id, step })));
  return grouped(uses, ({ id }) => id);
};

/** Makes only steps of a waiting queue depend on its proof. */
function setFree(plan: Plan, waiting: ReadonlySet<Queue>): Plan {
  if (waiting.size === 0) return plan;
  const proofs = new Set([...waiting].map(proveQueueId));
  const wantsOf = ({ on, stage, wants }: Step): readonly StepId[] => {
    const others = wants.filter((id) => !proofs.has(id));
    return waiting.has(on) && stage !== 'prove' ? [proveQueueId(on), ...others] : others;
  };
  return { ...plan, steps: plan.steps.map((step) => ({ ...step, wants: wantsOf(step) })) };
}

/** Removes dropped platforms from an index, which lists them with their reason. */
function withoutChildren(step: Step, gone: ReadonlyMap<StepId, string>): Step {
  if (step.kind !== 'assembleIndex') return step;
  const { children, dropped } = step.params;
  const lost = children.filter((child) => gone.has(child.step));
  const because = lost.map(({ step: id, platform }) => ({ platform, because: gone.get(id)! }));
  const params = {
    ...step.params,
    children: children.filter((child) => !gone.has(child.step)),
    dropped: [...dropped, ...because],
  };
  return { ...step, params };
}

/** Returns the dropped step that drops this one. Null if none does. An index is dropped with its last image. */
function causeOf(step: Step, gone: ReadonlyMap<StepId, string>): StepId | null {
  const need = step.needs.find((id) => gone.has(id));
  if (need !== undefined || step.kind !== 'assembleIndex') return need ?? null;
  const { children } = step.params;
  return children.every((child) => gone.has(child.step)) ? children[0]!.step : null;
}

function reduced(plan: Plan, gone: ReadonlyMap<StepId, string>, unserved: readonly Queue[]): Plan {
  const kept = plan.steps.filter(({ id }) => !gone.has(id));
  const used = new Set(kept.flatMap(({ on, stage }) => (stage === 'prove' ? [] : [on])));
  const steps = kept.filter(({ on, stage }) => stage !== 'prove' || !unserved.includes(on) || used.has(on));
  const ids = new Set(steps.map(({ id }) => id));
  const left = (edges: readonly StepId[]): readonly StepId[] => edges.filter((id) => ids.has(id));
  const byId = new Map(plan.steps.map((step) => [step.id, step]));
  const dropped = [...gone].map(([id, because]) => leftOut(byId.get(id)!, because));
  return {
    ...plan,
    steps: steps.map((step) => withoutChildren({ ...step, wants: left(step.wants), after: left(step.after) }, gone)),
    dropped: [...plan.dropped, ...dropped].sort((a, b) => (a.id < b.id ? -1 : 1)),
    effects: plan.effects.filter(({ step }) => ids.has(step)),
  };
}

const leftOut = ({ id, kind, on, axes, needs }: Step, because: string): Dropped => ({
  id,
  because,
  was: { kind, on, axes, needs },
});
