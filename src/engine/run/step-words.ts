import type { StepId } from '../../model/ids.js';
import type { GateWord } from '../../model/gate.js';
import type { StepState } from '../../model/messages.js';
import { whyOf, type StepWord, type WordAnswer } from '../../model/words.js';
import type { RunGraph } from './run-graph.js';
import { nothingHeld, stepNotHeld, stepNotRunning, stepNotSkippable } from './errors.js';
import { findStep, rerun } from './rerun.js';

/** The parts of a run that a word about steps may change. */
export interface Spoken {
  readonly graph: RunGraph;
  abort(step: number): void;
  /** Pauses with this reason. Null resumes. */
  pause(why: string | null): void;
  /** True while the run is being cancelled. Nothing is held then. */
  readonly cancelling: boolean;
}

type OfStep = Exclude<StepWord, GateWord>;
type Said<W extends StepWord['word']> = Extract<StepWord, { word: W }>;

const ok = (did: string, steps: readonly StepId[]): WordAnswer => ({ ok: true, did, steps });

export function say(word: OfStep, spoken: Spoken): WordAnswer {
  switch (word.word) {
    case 'retry':
      return retry(word, spoken);
    case 'skip':
      return skip(word, spoken);
    case 'cancel':
      return stopStep(word, spoken);
    case 'pause':
      spoken.pause(whyOf(word));
      return ok('paused: nothing more is started; what runs goes on', []);
    case 'resume':
      spoken.pause(null);
      return ok('resumed', []);
    case 'note':
      return ok('noted', []);
    default:
      return word satisfies never;
  }
}

/** Retries held steps and steps in back-off at once, with a new budget. */
function retry(word: Said<'retry'>, { graph, abort }: Spoken): WordAnswer {
  if (word.from !== undefined) return rerun(word.from, graph, abort);
  if (word.step !== undefined)
    return one(word.step, graph, ['held', 'backing off'], stepNotHeld, (step) => {
      graph.again(step);
      return `${word.step!} is tried again`;
    });
  const held = graph.cells.flatMap(({ state }, step) => (state === 'held' ? [step] : []));
  if (held.length === 0) return { ok: false, problem: nothingHeld() };
  for (const step of held) graph.again(step);
  return ok(
    held.length === 1 ? `${graph.steps[held[0]!]!.id} is tried again` : `${held.length} held steps are tried again`,
    held.map((step) => graph.steps[step]!.id),
  );
}

/** Leaves a step out, with a reason. Steps that need it are left out too. Steps that only want it go on. */
const skip = (word: Said<'skip'>, { graph }: Spoken): WordAnswer =>
  one(word.step, graph, ['held', 'backing off', 'waiting'], stepNotSkippable, (step) => {
    graph.settle(step, 'skipped', whyOf(word));
    return `${word.step} is left out`;
  });

/** Stops the running attempt. The step is held once its outcome arrives. */
const stopStep = (word: Said<'cancel'>, { graph, abort, cancelling }: Spoken): WordAnswer =>
  one(word.step, graph, ['running'], stepNotRunning, (step) => {
    graph.cells[step]!.stopping = `stopped: ${whyOf(word, 'on request')}`;
    abort(step);
    return `${word.step} is being stopped; it ${cancelling ? 'has failed' : 'is held'} afterwards`;
  });

function one(
  id: StepId,
  graph: RunGraph,
  states: readonly StepState[],
  refusal: typeof stepNotHeld,
  act: (step: number) => string,
): WordAnswer {
  const step = findStep(id, graph);
  if (typeof step !== 'number') return { ok: false, problem: step };
  const { state } = graph.cells[step]!;
  if (!states.includes(state)) return { ok: false, problem: refusal(id, state) };
  return ok(act(step), [id]);
}
