import type { StepState } from '../../model/messages.js';
import { newProgress, type StepProgress } from '../run/step-progress.js';
import { packedNumbers, unpackedNumbers } from './packed.js';

/** What is the matter with a step in brief, and the rest where there is any. Times count from `beganMs`. */
type Matter = readonly [
  state: number,
  attempt?: number | null,
  ready?: number | null,
  started?: number | null,
  ms?: number | null,
  note?: string | null,
  rest?: Partial<StepProgress> | null,
];

/** A step as it travels, by its number. */
export type CarriedCell = readonly [step: number, ...matter: Matter];
/** One, or all steps with which the same is the matter: their numbers as in `packedNumbers`. */
export type CarriedCells = CarriedCell | readonly [steps: string, ...matter: Matter];

/** Each matter once: thousands of steps may stand in line since the same moment. */
export function together(rows: readonly CarriedCell[]): readonly CarriedCells[] {
  const alike = new Map<string, { readonly matter: Matter; readonly steps: number[] }>();
  for (const [step, ...matter] of rows) {
    const key = JSON.stringify(matter);
    const same = alike.get(key);
    if (same) same.steps.push(step);
    else alike.set(key, { matter, steps: [step] });
  }
  return [...alike.values()].map(({ matter, steps }) => [
    steps.length === 1 ? steps[0]! : packedNumbers(steps),
    ...matter,
  ]) as readonly CarriedCells[];
}

export const apart = (cells: readonly CarriedCells[]): readonly CarriedCell[] =>
  cells.flatMap(([steps, ...matter]) =>
    (typeof steps === 'number' ? [steps] : unpackedNumbers(steps)).map((step): CarriedCell => [step, ...matter]),
  );

/** In this order for ever: histories hold the numbers. */
const STATES = [
  ...(['waiting', 'running', 'backing off', 'held', 'at gate'] as const),
  ...(['done', 'cached', 'failed', 'skipped', 'cancelled', 'dropped'] as const),
] as const satisfies readonly StepState[];

/** Edges that a step waits for follow from what has ended: they do not travel. */
export function carriedCell(step: number, cell: StepProgress, beganMs: number): CarriedCell {
  const { state, open: _, attempt, failures, readyAtMs, startedAtMs, ms, note, ...rest } = cell;
  const more = { ...rest, ...(failures.length > 0 && { failures }) };
  const since = (atMs: number | undefined): number | null => (atMs === undefined ? null : atMs - beganMs);
  const row = [
    ...[step, STATES.indexOf(state), attempt, since(readyAtMs), since(startedAtMs)],
    ...[ms ?? null, note ?? null, Object.keys(more).length > 0 ? more : null],
  ];
  while (row.at(-1) === null || (row.length === 3 && attempt === 0)) row.pop();
  return row as unknown as CarriedCell;
}

/** @returns a cell whose edges are to be counted */
export function cellOf(carried: CarriedCell, beganMs: number): StepProgress {
  const [, state, attempt, ready, started, ms, note, rest] = carried;
  return {
    ...newProgress(0),
    state: STATES[state]!,
    attempt: attempt ?? 0,
    ...(typeof ready === 'number' && { readyAtMs: ready + beganMs }),
    ...(typeof started === 'number' && { startedAtMs: started + beganMs }),
    ...(typeof ms === 'number' && { ms }),
    ...(typeof note === 'string' && { note }),
    ...(JSON.parse(JSON.stringify(rest ?? {})) as Partial<StepProgress>),
  };
}

/** Whether it has not come to its turn, and nothing was said about it: such a step need not be told of. */
export const isFresh = ({ length, 1: state }: CarriedCell): boolean => length === 2 && state === 0;
