import type { Skeleton, SkeletonStep } from './plan.js';

type Edges = Pick<SkeletonStep, 'needs' | 'wants' | 'after'>;
/** What many steps have in common. */
export type Shape = Omit<SkeletonStep, 'id' | 'gate' | 'expectedMs' | keyof Edges>;
/** Number of the shape; how many characters of the id before begin this one too; the rest of the id; edges, as in `packedNumbers`. */
export type PackedStep = readonly [
  shape: number,
  shared: number,
  rest: string,
  expectedMs: number,
  needs?: string,
  wants?: string,
  after?: string,
];

/** A skeleton, or what remains of one, in a fifth of the room: histories hold it whole, and the server refuses payloads of two
 * megabytes. Steps keep their numbers; those that ended are left out, and edges to them. */
export interface PackedSkeleton extends Omit<Skeleton, 'steps'> {
  readonly packed: 1;
  /** Of all steps, with those left out. */
  readonly count: number;
  readonly shapes: readonly Shape[];
  /** Which steps these are, as in `packedNumbers`. */
  readonly numbers: string;
  readonly steps: readonly PackedStep[];
  /** Gates by the number of their step. */
  readonly gates: readonly (readonly [step: number, gate: NonNullable<SkeletonStep['gate']>])[];
}
