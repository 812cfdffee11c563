import { CONTROL } from '../../model/ids.js';
import { plannedStep } from '../planned-step.js';
import type { Stage } from '../stage.js';

export const SEAL = 'seal/manifest';

/** Wants every build and test: one that failed stops it, one that was left out with a reason does not. */
export const seal: Stage = {
  id: 'seal',
  title: 'sealing the manifest',
  steps: (_, made) => [
    plannedStep('sealManifest', { id: SEAL, on: CONTROL, params: {}, wants: made.drafts.map((one) => one.step.id) }),
  ],
};
