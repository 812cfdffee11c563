import type { WheelServer } from '../../../activities/wheels/taken/ports.js';
import { fail } from '../../../model/failure.js';
import type { Spot } from '../../../plan/errors.js';
import { problems } from '../../../plan/taken/errors.js';
import type { UsedVariant } from '../../../plan/taken/used.js';
import type { OfBranch } from './repository.js';

/** A commit whose wheels are looked for. */
export interface Candidate extends OfBranch {
  /** Address with `{python}` and the like left. */
  readonly at: string;
  readonly variants: readonly UsedVariant[];
}

interface Asked {
  readonly name: string;
  readonly branch: string;
  readonly spot: Spot;
}

/** Returns the first candidate that has a wheel for every variant. Throws WHEEL_NONE_YET with what each lacks. */
export async function firstWithAll(
  candidates: AsyncIterable<Candidate>,
  server: WheelServer,
  { name, branch, spot }: Asked,
): Promise<Candidate> {
  const tried: string[] = [];
  for await (const candidate of candidates) {
    const missing = await missingOf(candidate, server);
    if (missing === null) return candidate;
    tried.push(`${candidate.commit.slice(0, 12)}: ${missing.why}`);
    // A server that gives no answer would be waited for ten times.
    if (missing.silent) break;
  }
  throw fail(problems.noneAnswers(spot, name, branch, tried));
}

interface Missing {
  readonly why: string;
  readonly silent: boolean;
}

/** Planning is short: nothing cancels it but its own end. */
const NEVER = new AbortController().signal;

async function missingOf({ at, variants }: Candidate, server: WheelServer): Promise<Missing | null> {
  const seen = await Promise.all(
    variants.map(async ({ wanted, address }) => {
      const url = address(at);
      const found = await server.find(url, wanted, NEVER);
      return 'absent' in found ? [{ why: `${url} ${found.absent}`, silent: found.silent === true }] : [];
    }),
  );
  return seen.flat()[0] ?? null;
}
