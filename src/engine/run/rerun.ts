import type { Problem } from '../../model/failure.js';
import type { StepId } from '../../model/ids.js';
import type { RerunPreview, ActionAnswer } from '../../model/actions.js';
import { KINDS } from '../../model/kinds.js';
import type { RunGraph } from './run-graph.js';
import { isOpen, seen, wasLeftOut } from './step-progress.js';
import { EDGE_KINDS, lets } from './edges.js';
import { stepNotBegun, stepShut, stepUnknown } from './errors.js';

/** Returns the number of the step with this id, or a problem that names similar ids. */
export function findStep(id: StepId, graph: RunGraph): number | Problem {
  const step = graph.steps.findIndex((candidate) => candidate.id === id);
  if (step >= 0) return step;
  const variants = graph.steps.flatMap((other) => (other.id.startsWith(`${id}/`) ? [other.id] : []));
  return stepUnknown(id, variants);
}

/** Runs a step and all steps behind it again, even if they are done. Running ones are stopped first. Steps that a person left out stay out. */
export function rerun(id: StepId, graph: RunGraph, abort: (step: number) => void): ActionAnswer {
  const steps = concerned(id, graph);
  if (!Array.isArray(steps)) return { ok: false, problem: steps as Problem };
  const again = willRun(steps, graph);
  const round = ++graph.round;
  for (const step of steps) graph.cells[step]!.round = round;
  delete graph.cells[steps[0]!]!.gate; // a gate that is itself rerun needs new approvals
  for (const step of steps.filter((one) => isRunning(one, graph))) {
    graph.cells[step]!.rerun = true;
    delete graph.cells[step]!.stoppedBy;
    abort(step);
  }
  graph.renew(steps.filter((step) => !isRunning(step, graph)));
  const named = (all: readonly number[]): readonly StepId[] => all.map((step) => graph.steps[step]!.id);
  return {
    ok: true,
    did: `${id} runs again${behind(again.length - 1)}`,
    steps: named(again),
    round: { round, from: id, steps: named(steps) },
  };
}

const behind = (count: number): string =>
  count === 0 ? '' : `, and ${count === 1 ? '1 step that stands' : `${count} steps that stand`} on it`;

export function previewRerun(id: StepId, graph: RunGraph): RerunPreview {
  const steps = concerned(id, graph);
  if (!Array.isArray(steps)) return { ok: false, problem: steps as Problem };
  const named = (all: readonly number[]): readonly StepId[] => all.map((step) => graph.steps[step]!.id);
  const kept = graph.steps.flatMap((_, step) => (!steps.includes(step) && hasResult(step, graph) ? [step] : []));
  return {
    ok: true,
    from: id,
    reused: named(kept),
    again: named(willRun(steps, graph)),
    stopped: named(steps.filter((step) => isRunning(step, graph))),
    invalidated: steps.flatMap((step) => {
      const why = whyInvalid(step, graph);
      return why === null ? [] : [{ step: graph.steps[step]!.id, why }];
    }),
  };
}

/** Describes approvals that no longer count. Null if none did. */
function whyInvalid(step: number, graph: RunGraph): string | null {
  const { gate } = graph.cells[step]!;
  const { kind } = graph.steps[step]!;
  if (gate && gate.approvals.length > 0)
    return `${gate.approvals.length === 1 ? '1 approval' : `${gate.approvals.length} approvals`}: void where other bytes are sealed`;
  if (!hasResult(step, graph)) return null;
  if (KINDS[kind].changes === 'target')
    return 'what is published stays: the same bytes are found there, other bytes are a conflict';
  return kind === 'sealManifest' ? 'the sealed manifest: sealed anew' : 'its result';
}

const hasResult = (step: number, graph: RunGraph): boolean => seen(graph.cells[step]!) === 'succeeded';
const isRunning = (step: number, graph: RunGraph): boolean => graph.cells[step]!.state === 'running';

/** Returns the step and those behind it, without steps that a person left out; or why it cannot run again. */
function concerned(id: StepId, graph: RunGraph): readonly number[] | Problem {
  const first = findStep(id, graph);
  if (typeof first !== 'number') return first;
  const { state, attempt } = graph.cells[first]!;
  if (state === 'waiting' && attempt === 0) return stepNotBegun(id);
  const shut = shutBy(first, graph, () => false);
  if (shut !== null) return stepShut(id, graph.steps[shut]!.id, graph.cells[shut]!.state);
  return graph.behind(first).filter((step) => step === first || !wasLeftOut(graph.cells[step]!));
}

/** Returns the steps that no step outside the rerun blocks. */
function willRun(steps: readonly number[], graph: RunGraph): readonly number[] {
  const will = new Set<number>();
  for (const step of steps) if (shutBy(step, graph, (on) => will.has(on)) === null) will.add(step);
  return [...will];
}

/** Returns an ended step that blocks this one. Null if there is none. */
function shutBy(step: number, graph: RunGraph, runsAgain: (on: number) => boolean): number | null {
  for (const edge of EDGE_KINDS)
    for (const on of graph.steps[step]![edge]) {
      if (!isOpen(graph.cells[on]!) && !runsAgain(on) && !lets(graph, { step, edge }, on)) return on;
    }
  return null;
}
