import type { StepId } from '../model/ids.js';
import type { PackedSkeleton, PackedStep, Shape } from '../model/packed-skeleton.js';
import { sharedStart } from '../model/quiet-steps.js';
import { isAfterOnly, type Skeleton, type SkeletonStep } from '../model/plan.js';
import { EDGE_KINDS } from './edges.js';

export const isPacked = (skeleton: Skeleton | PackedSkeleton): skeleton is PackedSkeleton => 'packed' in skeleton;

/** @param remains whether a step is still to be carried out */
export function packed(skeleton: Skeleton, remains: (step: number) => boolean = () => true): PackedSkeleton {
  const { steps, ...around } = skeleton;
  const numbers = steps.flatMap((_, step) => (remains(step) ? [step] : []));
  const shapes = new Shapes();
  let before = '';
  const rows = numbers.map((number): PackedStep => {
    const { id, gate: _, expectedMs = -1, needs, wants, after, ...shape } = whole(steps[number]!, remains);
    const shared = sharedStart(before, id);
    before = id;
    const edges = [needs, wants, after].map((list) => packedNumbers(list.filter(remains), number));
    while (edges.at(-1) === '') edges.pop();
    return [shapes.number(shape), shared, id.slice(shared), expectedMs, ...edges] as unknown as PackedStep;
  });
  const gates = numbers.flatMap((number) => (steps[number]!.gate ? [[number, steps[number]!.gate] as const] : []));
  return {
    ...around,
    ...{ packed: 1, count: steps.length, shapes: shapes.all, numbers: packedNumbers(numbers, 0), steps: rows, gates },
  };
}

/** The skeleton with all numbers as they were: a step that was left out stands there as one that has nothing to do with any other. */
export function unpacked(skeleton: PackedSkeleton): Skeleton & { readonly known: readonly number[] } {
  const { packed: _, count, shapes, numbers, steps: rows, gates, ...around } = skeleton;
  const steps = Array.from({ length: count }, (): SkeletonStep => GONE);
  const gateOf = new Map(gates);
  const known = unpackedNumbers(numbers, 0);
  let id: StepId = '';
  rows.forEach(([shape, shared, rest, expectedMs, ...edges], row) => {
    const number = known[row]!;
    id = id.slice(0, shared) + rest;
    const [needs, wants, after] = [0, 1, 2].map((kind) => unpackedNumbers(edges[kind] ?? '', number)) as [
      number[],
      number[],
      number[],
    ];
    const gate = gateOf.get(number);
    const own = { ...(expectedMs >= 0 && { expectedMs }), ...(gate && { gate }) };
    steps[number] = { id, ...shapes[shape]!, needs, wants, after, ...own };
  });
  return { ...around, steps, known };
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

  number(shape: Shape): number {
    const key = JSON.stringify(shape);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.all.length);
    return this.all.push(shape) - 1;
  }
}

/** Numbers as their distance from another, in their order; `d+n`: and the n that follow it. */
export function packedNumbers(numbers: readonly number[], from = 0): string {
  const runs: string[] = [];
  for (let at = 0; at < numbers.length;) {
    let more = 0;
    while (numbers[at + more + 1] === numbers[at]! + more + 1) more++;
    runs.push(`${numbers[at]! - from}${more > 0 ? `+${more}` : ''}`);
    at += more + 1;
  }
  return runs.join(' ');
}

export const unpackedNumbers = (text: string, from = 0): number[] =>
  text === ''
    ? []
    : text.split(' ').flatMap((run) => {
        const [distance, more = '0'] = run.split('+');
        return Array.from({ length: Number(more) + 1 }, (_, at) => from + Number(distance) + at);
      });
