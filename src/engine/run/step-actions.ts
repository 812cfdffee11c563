import type { StepId } from '../../model/ids.js';
import type { GateAction } from '../../model/gate.js';
import type { StepState } from '../../model/messages.js';
import { whyOf, type StepAction, type ActionAnswer } from '../../model/actions.js';
import type { SkeletonStep } from '../../model/plan.js';
import type { RunGraph } from './run-graph.js';
import { nothingHeld, stepNotHeld, stepNotRunning, stepNotSkippable } from './errors.js';
import { findStep, rerun } from './rerun.js';

/** The parts of a run that an action about steps may change. */
export interface ActionTarget {
  readonly graph: RunGraph;
  abort(step: number): void;
  /** Pauses with this reason. Null resumes. */
  pause(why: string | null): void;
  /** True while the run is being cancelled. Steps are then failed instead of held. */
  readonly cancelling: boolean;
}

type OfStep = Exclude<StepAction, GateAction>;
type Sent<W extends StepAction['action']> = Extract<StepAction, { action: W }>;

const ok = (did: string, steps: readonly StepId[]): ActionAnswer => ({ ok: true, did, steps });

export function applyAction(action: OfStep, target: ActionTarget): ActionAnswer {
  switch (action.action) {
    case 'retry':
      return retry(action, target);
    case 'skip':
      return skip(action, target);
    case 'cancel':
      return stopStep(action, target);
    case 'pause':
      target.pause(whyOf(action));
      return ok('paused: nothing more is started; what runs goes on', []);
    case 'resume':
      target.pause(null);
      return ok('resumed', []);
    case 'note':
      return ok('noted', []);
    default:
      return action satisfies never;
  }
}

/** Retries held steps and steps in back-off at once, with a new budget. */
function retry(action: Sent<'retry'>, { graph, abort }: ActionTarget): ActionAnswer {
  if (action.from !== undefined) return rerun(action.from, graph, abort);
  if (action.step !== undefined)
    return one(action.step, graph, ['held', 'backing off'], stepNotHeld, (step) => {
      graph.again(step);
      return `${action.step!} is tried again`;
    });
  const held = graph.cells.flatMap(({ state }, step) => (state === 'held' ? [step] : []));
  if (held.length === 0) return { ok: false, problem: nothingHeld() };
  for (const step of held) graph.again(step);
  return ok(
    held.length === 1 ? `${graph.steps[held[0]!]!.id} is tried again` : `${held.length} held steps are tried again`,
    held.map((step) => graph.steps[step]!.id),
  );
}

/** Skips a step, with a reason. Steps that need it are skipped too. Steps that only want it go on. */
const skip = (action: Sent<'skip'>, { graph }: ActionTarget): ActionAnswer =>
  one(action.step, graph, ['held', 'backing off', 'waiting'], stepNotSkippable, (step) => {
    graph.settle(step, 'skipped', whyOf(action));
    return `${action.step} is left out`;
  });

/** Stops the running attempt. The step is held when its outcome arrives. */
const stopStep = (action: Sent<'cancel'>, { graph, abort, cancelling }: ActionTarget): ActionAnswer =>
  one(action.step, graph, ['running'], stepNotRunning, (step) => {
    graph.cells[step]!.stopping = `stopped: ${whyOf(action, 'on request')}`;
    abort(step);
    return `${action.step} is being stopped; it ${afterStop(graph.steps[step]!, cancelling)} afterwards`;
  });

function afterStop({ tolerate, onFailure }: SkeletonStep, cancelling: boolean): string {
  if (tolerate !== undefined) return 'is left out';
  return cancelling || onFailure !== undefined ? 'has failed' : 'is held';
}

function one(
  id: StepId,
  graph: RunGraph,
  states: readonly StepState[],
  refusal: typeof stepNotHeld,
  act: (step: number) => string,
): ActionAnswer {
  const step = findStep(id, graph);
  if (typeof step !== 'number') return { ok: false, problem: step };
  const { state } = graph.cells[step]!;
  if (!states.includes(state)) return { ok: false, problem: refusal(id, state) };
  return ok(act(step), [id]);
}
