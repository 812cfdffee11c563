import fc from 'fast-check';
import type { FailureClass } from '../../src/model/failure.js';
import { aSkeleton, type Rough } from './a-skeleton.js';

export const QUEUES = ['control', 'linux', 'gpu'] as const;
const KINDS = ['buildWheel', 'runTest', 'publishArtifacts', 'movePointer', 'writeReport'] as const;
export const CLASSES: readonly FailureClass[] = ['product', 'infra', 'lost', 'conflict', 'denied', 'bug', 'cancelled'];

/** A random graph: step n waits for some of those before it; then all are shuffled. */
export const graphs = fc
  .array(
    fc.record({ edges: fc.array(fc.tuple(fc.nat(), fc.nat(2)), { maxLength: 4 }), queue: fc.nat(2), kind: fc.nat(4) }),
    {
      minLength: 1,
      maxLength: 30,
    },
  )
  .chain((rows) =>
    fc.tuple(
      fc.constant(rows),
      fc.shuffledSubarray(
        rows.map((_, i) => i),
        { minLength: rows.length },
      ),
    ),
  )
  .map(([rows, places]) => {
    const steps: Rough[] = [];
    rows.forEach((row, n) => {
      const sorts = { needs: new Set<number>(), wants: new Set<number>(), after: new Set<number>() };
      if (n > 0)
        for (const [to, sort] of row.edges) sorts[(['needs', 'wants', 'after'] as const)[sort]!].add(places[to % n]!);
      const edges = { needs: [...sorts.needs], wants: [...sorts.wants], after: [...sorts.after] };
      steps[places[n]!] = { id: `s${n}`, on: QUEUES[row.queue]!, kind: KINDS[row.kind]!, ...edges };
    });
    return aSkeleton(steps, { windows: { control: 2, linux: 1, gpu: 3 } });
  });
