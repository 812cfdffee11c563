import { keyParts, without } from '../../engine/cache/key-parts.js';
import { stepKey } from '../../engine/cache/step-key.js';
import { short, type Digest } from '../../model/digest.js';
import type { Result } from '../../model/result.js';
import type { Part, Work } from '../work.js';
import type { Reached } from './confine.js';
import type { StepLog, StepContext } from './ports.js';
import { recallResult, rememberResult, resultOf } from './reuse.js';
import type { Attempt } from './work.js';

/** Runs a part of a step under a step key of its own, or reuses its cached result. */
export function createPart(attempt: Attempt, around: StepContext, log: StepLog, reached: Reached): Work['part'] {
  const { store, hash } = around;
  const { step, fresh = false } = attempt;
  return async (part, make) => {
    const key = partKey(attempt, part, around);
    const { known } = fresh ? { known: null } : await recallResult(store, step.kind, key, hash);
    if (known !== null && (await part.believe(known))) {
      if (known.made.isolation !== undefined) reached.levels.add(known.made.isolation);
      log.note(`${part.name} as run ${known.made.run} made it (${digestsOf(known)})`);
      return { ...known, reused: true };
    }
    const beganMs = around.ticks();
    const made = await make();
    const result = resultOf(step, key, made, {
      run: attempt.run,
      attempt: attempt.attempt,
      at: new Date(around.now()).toISOString(),
      ms: Math.round(around.ticks() - beganMs),
      worker: around.worker,
      ...reached.weakest(),
    });
    const standing = await rememberResult(store, result, hash, fresh || known !== null);
    return { ...standing, reused: false };
  };
}

/** Returns the part's key: the step's key without parameters that the part does not read. */
function partKey({ plan, step, ...given }: Attempt, { name, epoch, ignores }: Part, { hash }: StepContext): Digest {
  const parts = keyParts(plan, step, { ...given, toolchain: given.toolchain?.pin ?? null });
  return stepKey({ ...parts, epoch, params: { ...without(parts.params, ignores), part: name } }, hash);
}

const digestsOf = ({ artifacts }: Result): string => artifacts.map(({ digest }) => short(digest)).join(', ');
