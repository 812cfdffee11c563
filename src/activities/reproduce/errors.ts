import { problem } from '../../model/problem.js';
import type { StepId } from '../../model/ids.js';

export const notReproducible = problem.config((step: StepId, kind: string, isKnown: boolean) => [
  'NOT_REPRODUCIBLE',
  isKnown
    ? `${step} (${kind}) works on servers and registries, not in a folder of its own`
    : `${step} is of kind ${kind}, which this program does not know`,
  '`slipway logs STEP` shows what it did. Steps that build, test or run commands can be reproduced.',
]);
export const neverCameToIt = problem.config((step: StepId) => [
  'NEVER_CAME_TO_IT',
  `every program of ${step} succeeded here, and none of them is what the step is about: there was no place to stop at`,
  'Where it fails elsewhere, compare the machines: `slipway workers` shows the tools of each.',
]);
