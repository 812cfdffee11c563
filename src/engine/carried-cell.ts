import type { StepState } from '../model/messages.js';
import { newCell, type Cell } from './cell.js';

/** A step as it travels: its number, what is the matter with it in brief, and the rest where there is any. Times count from `beganMs`. */
export type CarriedCell = readonly [
  step: number,
  state: number,
  attempt?: number | null,
  ready?: number | null,
  started?: number | null,
  ms?: number | null,
  note?: string | null,
  rest?: Partial<Cell> | null,
];

/** In this order for ever: histories hold the numbers. */
const STATES = [
  ...(['waiting', 'running', 'backing off', 'held', 'at gate'] as const),
  ...(['done', 'cached', 'failed', 'skipped', 'cancelled', 'dropped'] as const),
] as const satisfies readonly StepState[];

/** Edges that a step waits for follow from what has ended: they do not travel. */
export function carriedCell(step: number, cell: Cell, beganMs: number): CarriedCell {
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
export function cellOf(carried: CarriedCell, beganMs: number): Cell {
  const [, state, attempt, ready, started, ms, note, rest] = carried;
  return {
    ...newCell(0),
    state: STATES[state]!,
    attempt: attempt ?? 0,
    ...(typeof ready === 'number' && { readyAtMs: ready + beganMs }),
    ...(typeof started === 'number' && { startedAtMs: started + beganMs }),
    ...(typeof ms === 'number' && { ms }),
    ...(typeof note === 'string' && { note }),
    ...(JSON.parse(JSON.stringify(rest ?? {})) as Partial<Cell>),
  };
}

/** Whether it has not come to its turn, and nothing was said about it: such a step need not be told of. */
export const isFresh = ({ length, 1: state }: CarriedCell): boolean => length === 2 && state === 0;
