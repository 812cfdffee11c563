import fc from 'fast-check';
import type { FailureClass } from '../../src/model/failure.js';
import type { Skeleton } from '../../src/model/plan.js';
import { aSkeleton, type Rough } from './a-skeleton.js';

export const QUEUES = ['control', 'linux', 'gpu'] as const;
const KINDS = ['buildWheel', 'runTest', 'publishArtifacts', 'movePointer', 'writeReport'] as const;
export const CLASSES: readonly FailureClass[] = ['product', 'infra', 'lost', 'conflict', 'denied', 'bug', 'cancelled'];

/** One step of a random graph: what it waits for, and where it stands in the plan. */
interface GraphRow {
  /** The number of an earlier step, and the kind of edge. */
  readonly edges: readonly (readonly [number, number])[];
  readonly queue: number;
  readonly kind: number;
  readonly place: number;
}

/** A random graph as plain data. */
export const drawnGraphs: fc.Arbitrary<readonly GraphRow[]> = fc.array(
  fc.record({
    edges: fc.array(fc.tuple(fc.nat(), fc.nat(2)), { maxLength: 4 }),
    queue: fc.nat(2),
    kind: fc.nat(4),
    place: fc.nat(999),
  }),
  { minLength: 1, maxLength: 30 },
);

/** Step n waits for some of those before it; then all are shuffled by `place`. */
export function graphOf(rows: readonly GraphRow[]): Skeleton {
  const shuffled = rows.map((_, n) => n).sort((a, b) => rows[a]!.place - rows[b]!.place);
  const places = rows.map((_, n) => shuffled.indexOf(n));
  const steps: Rough[] = [];
  rows.forEach((row, n) => {
    const sorts = { needs: new Set<number>(), wants: new Set<number>(), after: new Set<number>() };
    if (n > 0)
      for (const [to, sort] of row.edges) sorts[(['needs', 'wants', 'after'] as const)[sort]!].add(places[to % n]!);
    const edges = { needs: [...sorts.needs], wants: [...sorts.wants], after: [...sorts.after] };
    steps[places[n]!] = { id: `s${n}`, on: QUEUES[row.queue]!, kind: KINDS[row.kind]!, ...edges };
  });
  return aSkeleton(steps, { windows: { control: 2, linux: 1, gpu: 3 } });
}

export const graphs: fc.Arbitrary<Skeleton> = drawnGraphs.map(graphOf);
