import type { Problem } from '../../model/failure.js';
import type { StepId } from '../../model/ids.js';

export const notReproducible = (step: StepId, kind: string, isKnown: boolean): Problem => ({
  code: 'NOT_REPRODUCIBLE',
  class: 'config',
  message: isKnown
    ? `${step} (${kind}) works on servers and registries, not in a folder of its own`
    : `${step} is of kind ${kind}, which this program does not know`,
  next: '`slipway logs STEP` shows what it did. Steps that build, test or run commands can be reproduced.',
});

export const neverCameToIt = (step: StepId): Problem => ({
  code: 'NEVER_CAME_TO_IT',
  class: 'config',
  message: `every program of ${step} succeeded here, and none of them is what the step is about: there was no place to stop at`,
  next: 'Where it fails elsewhere, compare the machines: `slipway workers` shows the tools of each.',
});
