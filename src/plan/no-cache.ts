import { fail } from '../model/failure.js';
import type { StepId } from '../model/ids.js';
import type { NoCache } from '../model/reuse.js';
import { problems } from './errors.js';

type Steps = readonly { readonly id: StepId }[];

/** Returns the steps without a cache lookup, by id or by its beginning up to a `/`. Throws NO_CACHE_NAMES_NOTHING and
 * NO_CACHE_NOT_READABLE.
 * @param said input of any shape */
export function withoutCache(steps: Steps, said: unknown): NoCache | undefined {
  if (said === undefined || said === false) return undefined;
  if (said === true) return 'all';
  if (!Array.isArray(said) || !said.every((one) => typeof one === 'string'))
    throw fail(problems.noCacheNotReadable({}, said));
  const numbers = new Set((said as readonly string[]).flatMap((name) => named(steps, name)));
  return numbers.size === 0 ? undefined : [...numbers].sort((a, b) => a - b);
}

function named(steps: Steps, name: string): readonly number[] {
  const prefix = name.endsWith('/') ? name : `${name}/`;
  const numbers = steps.flatMap(({ id }, number) => (id === name || id.startsWith(prefix) ? [number] : []));
  if (numbers.length > 0) return numbers;
  const known = steps.map(({ id }) => id);
  throw fail(problems.noCacheNamesNothing({}, name, known));
}
