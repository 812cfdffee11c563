import { CONTROL } from '../../model/ids.js';
import { plannedStep } from '../planned-step.js';
import type { Stage } from '../stage.js';
import { isSealed, SEAL } from './seal.js';

export const ATTEST = 'attest/release';

/** Attests the provenance of everything sealed. Publishing waits for it. */
export const attest: Stage = {
  id: 'attest',
  title: 'attesting',
  steps: (context) => {
    if (!isSealed(context)) return [];
    const params = { key: context.facts.profile.content.attest?.key ?? null };
    return [plannedStep('attestRelease', { id: ATTEST, on: CONTROL, needs: [SEAL], params })];
  },
};
