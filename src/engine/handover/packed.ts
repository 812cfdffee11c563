import type { PackedRows, PackedSkeleton, Shape } from './packed-skeleton.js';
import { isAfterOnly, type Skeleton, type SkeletonStep } from '../../model/plan.js';
import { column, inRuns, ofColumn, ofEdges, ofIds, packedEdges, packedIds } from './columns.js';
import { EDGE_KINDS } from '../run/edges.js';

export const isPacked = (skeleton: Skeleton | PackedSkeleton): skeleton is PackedSkeleton => 'packed' in skeleton;

/** @param remains whether a step is still to be carried out */
export function packed(skeleton: Skeleton, remains: (step: number) => boolean = () => true): PackedSkeleton {
  const { steps, ...around } = skeleton;
  const numbers = steps.flatMap((_, step) => (remains(step) ? [step] : []));
  const shapes = new Shapes();
  const rows = numbers.map((number) => whole(steps[number]!, remains));
  const edges = (kind: (typeof EDGE_KINDS)[number]): string =>
    column(rows.map((row, at) => packedEdges(row[kind].filter(remains), numbers[at]!)));
  return {
    ...around,
    ...{ packed: 2, count: steps.length, numbers: packedNumbers(numbers, 0) },
    ids: packedIds(rows.map(({ id }) => id)),
    shape: column(rows.map((row) => shapes.number(row))),
    shapes: shapes.all,
    expectedMs: column(rows.map(({ expectedMs = -1 }) => expectedMs)),
    ...{ needs: edges('needs'), wants: edges('wants'), after: edges('after') },
    gates: rows.flatMap(({ gate }, at) => (gate ? [[numbers[at]!, gate] as const] : [])),
  };
}

/** The skeleton with all numbers as they were: a step that was left out stands there as one that has nothing to do with any other. */
export function unpacked(skeleton: PackedSkeleton | PackedRows): Unpacked {
  return skeleton.packed === 1 ? ofRows(skeleton) : ofColumns(skeleton);
}

export type Unpacked = Skeleton & { readonly known: readonly number[] };

function ofColumns(skeleton: PackedSkeleton): Unpacked {
  const { packed: _, count, shapes, numbers, gates, ids, shape, expectedMs, needs, wants, after, ...around } = skeleton;
  const known = unpackedNumbers(numbers, 0);
  const [of, ms, ...edges] = [shape, expectedMs, needs, wants, after].map((text) => ofColumn(text, known.length));
  const rows = ofIds(ids).map((id, at): SkeletonStep => {
    const [ownNeeds, ownWants, ownAfter] = edges.map((texts) => ofEdges(texts[at]!, known[at]!));
    const own = { needs: ownNeeds!, wants: ownWants!, after: ownAfter! };
    const expected = Number(ms![at]);
    return { id, ...shapes[Number(of![at])]!, ...own, ...(expected >= 0 && { expectedMs: expected }) };
  });
  return { ...around, ...placed(rows, known, count, gates) };
}

function ofRows(skeleton: PackedRows): Unpacked {
  const { packed: _, count, shapes, numbers, steps, gates, ...around } = skeleton;
  const known = unpackedNumbers(numbers, 0);
  let id = '';
  const rows = steps.map(([shape, shared, rest, expectedMs, ...edges], row): SkeletonStep => {
    id = id.slice(0, shared) + rest;
    const [needs, wants, after] = [0, 1, 2].map((kind) => unpackedNumbers(edges[kind] ?? '', known[row]!));
    const own = { needs: needs!, wants: wants!, after: after! };
    return { id, ...shapes[shape]!, ...own, ...(expectedMs >= 0 && { expectedMs }) };
  });
  return { ...around, ...placed(rows, known, count, gates) };
}

function placed(
  rows: readonly SkeletonStep[],
  known: readonly number[],
  count: number,
  gates: PackedSkeleton['gates'],
): Pick<Unpacked, 'steps' | 'known'> {
  const steps = Array.from({ length: count }, (): SkeletonStep => GONE);
  rows.forEach((row, at) => (steps[known[at]!] = row));
  for (const [step, gate] of gates) steps[step] = { ...steps[step]!, gate };
  return { steps, known };
}

/** Whether a step only cleans up must not hang on which edges are left. */
const whole = (step: SkeletonStep, remains: (step: number) => boolean): SkeletonStep =>
  EDGE_KINDS.every((kind) => step[kind].every(remains)) ? step : { ...step, afterOnly: isAfterOnly(step) };

const GONE: SkeletonStep = {
  ...{ id: '', kind: 'writeReport', stage: 'report', on: '', needs: [], wants: [], after: [], limitMs: 0 },
  retry: { infra: { times: 0, waitMs: 0, atMostMs: 0 }, lost: { times: 0, waitMs: 0, atMostMs: 0 } },
};

/** Each shape once. */
class Shapes {
  readonly all: Shape[] = [];
  readonly #numbers = new Map<string, number>();

  number({
    id: _,
    gate: __,
    expectedMs: ___,
    needs: ____,
    wants: _____,
    after: ______,
    ...shape
  }: SkeletonStep): number {
    const key = JSON.stringify(shape);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.all.length);
    return this.all.push(shape) - 1;
  }
}

/** Numbers as their distance from another, in their order; `d+n`: and the n that follow it. */
export const packedNumbers = (numbers: readonly number[], from = 0): string =>
  inRuns(numbers, (number) => String(number - from));

export const unpackedNumbers = (text: string, from = 0): number[] =>
  text === ''
    ? []
    : text.split(' ').flatMap((run) => {
        const [distance, more = '0'] = run.split('+');
        return Array.from({ length: Number(more) + 1 }, (_, at) => from + Number(distance) + at);
      });
