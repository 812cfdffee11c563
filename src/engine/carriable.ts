import { fail } from '../model/failure.js';
import { planTooLarge } from './errors.js';

/** Steps that one run carries: what remains of more would not fit into one payload for the next generation. */
const MOST_STEPS = 20_000;

export function assertCarriable({ steps }: { readonly steps: readonly unknown[] }): void {
  if (steps.length > MOST_STEPS) throw fail(planTooLarge(steps.length, MOST_STEPS));
}
