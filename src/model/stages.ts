import { FEATURE_KINDS } from '../features/kinds.js';
import { stageNotPlaced } from './errors.js';
import { fail } from './failure.js';
import type { StageRow } from './feature-kinds.js';
import { fieldOf, together } from './together.js';

const CORE = [
  'source',
  'prove',
  'deps',
  'sdists',
  'wheels',
  'jars',
  'images',
  'tests',
  'steps',
  'seal',
  'attest',
  'gates',
  'publish',
  'verify',
  'point',
  'announce',
  'report',
] as const;
const FEATURES = fieldOf(FEATURE_KINDS, 'stages');
const core = Object.fromEntries(CORE.map((stage) => [stage, {}])) as Readonly<Record<(typeof CORE)[number], object>>;
const rows = together('stage', { core, ...FEATURES });
export type StageId = keyof typeof rows;

/** Stages of a release, in the order of display. Edges between steps decide the order of execution. A step's stage is part of its
 * key, and decides its default retries, its priority and whether it gets the seal. */
export const STAGE_IDS = placed(
  CORE,
  Object.entries<Readonly<Record<string, StageRow>>>(FEATURES).flatMap(([feature, stages]) =>
    Object.entries(stages).map(([stage, { after }]) => ({ feature, stage, after })),
  ),
) as readonly StageId[];

interface Added extends StageRow {
  readonly feature: string;
  readonly stage: string;
}

/** Throws FEATURE_STAGE_NOT_PLACED if a neighbour is unknown, or if neighbours form a circle. */
function placed(order: readonly string[], left: readonly Added[]): readonly string[] {
  // The last one first, so that two stages after one neighbour are in the order of their features.
  const next = left.findLast(({ after }) => order.includes(after));
  if (next !== undefined)
    return placed(
      order.toSpliced(order.indexOf(next.after) + 1, 0, next.stage),
      left.filter((one) => one !== next),
    );
  const [first] = left.toSorted((a, b) => Number(a.after in rows) - Number(b.after in rows));
  if (first !== undefined) throw fail(stageNotPlaced(first, first.after in rows));
  return order;
}
