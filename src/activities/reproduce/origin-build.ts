import type { StepId } from '../../model/ids.js';
import type { KindName } from '../../model/kinds.js';
import type { Plan, StepOf } from '../../model/plan.js';
import type { LostWheel } from '../../model/remade.js';
import type { Result } from '../../model/result.js';
import { readRounds } from '../../model/rounds.js';
import type { Store } from '../ports.js';
import { resultsOf } from '../step/inputs.js';
import { findStep } from '../step/plans.js';

/** The build of a listed wheel. */
export interface BuiltWheel {
  readonly step: StepOf<'buildWheel'>;
  readonly result: Result;
  /** Step that the wheel's statement names. It may have taken the wheel of `step`. */
  readonly listed: StepId;
}

/** Finds the step that built a listed wheel. Returns why there is none. */
export async function originBuild(
  store: Store,
  plan: Plan,
  { run, step: publish, plan: digest, entry }: LostWheel,
): Promise<BuiltWheel | string> {
  const resultOf = resultsOf(store, await readRounds(store, run));
  const gave = async (id: StepId): Promise<Result | null> => {
    const result = await resultOf(id);
    return result?.artifacts.some((artifact) => artifact.digest === entry.digest) === true ? result : null;
  };
  for (const listed of findStep<'publishArtifacts'>(plan, digest, publish).params.of) {
    let result = await gave(listed);
    if (result === null) continue;
    let step = findStep<KindName>(plan, digest, listed);
    while (isBuild(step) && step.params.sameAs !== undefined) {
      const theirs = await gave(step.params.sameAs);
      if (theirs === null) break;
      [result, step] = [theirs, findStep<KindName>(plan, digest, step.params.sameAs)];
    }
    return isBuild(step) ? { step, result, listed } : `${step.id} (${step.kind}) took it and did not build it`;
  }
  return `the store has no result of its build in run ${run}`;
}

const isBuild = (step: StepOf<KindName>): step is StepOf<'buildWheel'> => step.kind === 'buildWheel';
