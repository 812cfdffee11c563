import type { Skeleton, SkeletonStep } from '../../model/plan.js';

type Edges = Pick<SkeletonStep, 'needs' | 'wants' | 'after'>;
/** What many steps have in common. */
export type Shape = Omit<SkeletonStep, 'id' | 'gate' | 'expectedMs' | keyof Edges>;

/** Each id: how many characters of the id before begin it, then the rest of it. A number below zero: so many ids that count on. */
export type PackedIds = readonly (number | string)[];

interface Around extends Omit<Skeleton, 'steps'> {
  /** Of all steps, with those left out. */
  readonly count: number;
  readonly shapes: readonly Shape[];
  /** Which steps these are, as in `packedNumbers`. */
  readonly numbers: string;
  /** Gates by the number of their step. */
  readonly gates: readonly (readonly [step: number, gate: NonNullable<SkeletonStep['gate']>])[];
}

/** A skeleton, or what remains of one, in a tenth of the room: histories hold it whole, each hand-over holds it twice, and the server
 * refuses payloads of two megabytes. Steps keep their numbers; those that ended are left out, and edges to them. */
export interface PackedSkeleton extends Around {
  readonly packed: 2;
  readonly ids: PackedIds;
  /** Number of each step's shape, its time (-1: unknown), its edges as in `packedEdges`: each a `column`. */
  readonly shape: string;
  readonly expectedMs: string;
  readonly needs: string;
  readonly wants: string;
  readonly after: string;
}

/** Number of the shape; how many characters of the id before begin this one too; the rest of the id; edges, as in `packedNumbers`. */
type PackedStep = readonly [
  shape: number,
  shared: number,
  rest: string,
  expectedMs: number,
  needs?: string,
  wants?: string,
  after?: string,
];

/** As histories of before hold it: row by row. */
export interface PackedRows extends Around {
  readonly packed: 1;
  readonly steps: readonly PackedStep[];
}
