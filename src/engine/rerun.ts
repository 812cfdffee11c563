import type { Problem } from '../model/failure.js';
import type { StepId } from '../model/ids.js';
import type { RerunPreview, WordAnswer } from '../model/words.js';
import type { Board } from './board.js';
import { isOpen, seen, wasLeftOut } from './cell.js';
import { EDGE_KINDS, lets } from './edges.js';
import { stepNotBegun, stepShut, stepUnknown } from './errors.js';

/** The step of that id; a problem names steps whose id begins so. */
export function findStep(id: StepId, board: Board): number | Problem {
  const step = board.steps.findIndex((candidate) => candidate.id === id);
  if (step >= 0) return step;
  const variants = board.steps.flatMap((other) => (other.id.startsWith(`${id}/`) ? [other.id] : []));
  return stepUnknown(id, variants);
}

/** A step and all that stands on it run again, even where done. What runs is stopped first; what a person left out stays so. */
export function rerun(id: StepId, board: Board, abort: (step: number) => void): WordAnswer {
  const steps = concerned(id, board);
  if (!Array.isArray(steps)) return { ok: false, problem: steps as Problem };
  const again = willRun(steps, board);
  const round = ++board.round;
  for (const step of steps) board.cells[step]!.round = round;
  delete board.cells[steps[0]!]!.gate; // of a gate that is itself told to run again, people are asked anew
  for (const step of steps.filter((one) => isRunning(one, board))) {
    board.cells[step]!.rerun = true;
    abort(step);
  }
  board.renew(steps.filter((step) => !isRunning(step, board)));
  const named = (all: readonly number[]): readonly StepId[] => all.map((step) => board.steps[step]!.id);
  return {
    ok: true,
    did: `${id} runs again${behind(again.length - 1)}`,
    steps: named(again),
    round: { round, from: id, steps: named(steps) },
  };
}

const behind = (count: number): string =>
  count === 0 ? '' : `, and ${count === 1 ? '1 step that stands' : `${count} steps that stand`} on it`;

export function previewRerun(id: StepId, board: Board): RerunPreview {
  const steps = concerned(id, board);
  if (!Array.isArray(steps)) return { ok: false, problem: steps as Problem };
  const named = (all: readonly number[]): readonly StepId[] => all.map((step) => board.steps[step]!.id);
  const kept = board.steps.flatMap((_, step) => (!steps.includes(step) && hasResult(step, board) ? [step] : []));
  return {
    ok: true,
    from: id,
    reused: named(kept),
    again: named(willRun(steps, board)),
    stopped: named(steps.filter((step) => isRunning(step, board))),
    invalidated: steps.flatMap((step) => {
      const why = whyInvalid(step, board);
      return why === null ? [] : [{ step: board.steps[step]!.id, why }];
    }),
  };
}

/** What counted and does not any more; null where nothing did. */
function whyInvalid(step: number, board: Board): string | null {
  const { gate } = board.cells[step]!;
  const { kind } = board.steps[step]!;
  if (gate && gate.approvals.length > 0)
    return `${gate.approvals.length === 1 ? '1 approval' : `${gate.approvals.length} approvals`}: void where other bytes are sealed`;
  if (!hasResult(step, board)) return null;
  if (kind === 'publishArtifacts' || kind === 'movePointer')
    return 'what is published stays: the same bytes are found there, other bytes are a conflict';
  return kind === 'sealManifest' ? 'the sealed manifest: sealed anew' : 'its result';
}

const hasResult = (step: number, board: Board): boolean => seen(board.cells[step]!) === 'succeeded';
const isRunning = (step: number, board: Board): boolean => board.cells[step]!.state === 'running';

/** The step and those behind it, without what a person left out; or why it cannot run again. */
function concerned(id: StepId, board: Board): readonly number[] | Problem {
  const first = findStep(id, board);
  if (typeof first !== 'number') return first;
  const { state, attempt } = board.cells[first]!;
  if (state === 'waiting' && attempt === 0) return stepNotBegun(id);
  const shut = shutBy(first, board, () => false);
  if (shut !== null) return stepShut(id, board.steps[shut]!.id, board.cells[shut]!.state);
  return board.behind(first).filter((step) => step === first || !wasLeftOut(board.cells[step]!));
}

/** Those that nothing else keeps from running. */
function willRun(steps: readonly number[], board: Board): readonly number[] {
  const will = new Set<number>();
  for (const step of steps) if (shutBy(step, board, (on) => will.has(on)) === null) will.add(step);
  return [...will];
}

/** One that it waits for, that has ended and does not let it go on; null: none. */
function shutBy(step: number, board: Board, runsAgain: (on: number) => boolean): number | null {
  for (const edge of EDGE_KINDS)
    for (const on of board.steps[step]![edge]) {
      const cell = board.cells[on]!;
      if (!isOpen(cell) && !runsAgain(on) && !lets(edge, seen(cell))) return on;
    }
  return null;
}
