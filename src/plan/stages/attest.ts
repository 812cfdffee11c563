import { CONTROL } from '../../model/ids.js';
import { plannedStep } from '../planned-step.js';
import type { Stage } from '../stage.js';
import { SEAL } from './seal.js';

export const ATTEST = 'attest/release';

/** Says of all that is sealed where it comes from; nothing goes out before. */
export const attest: Stage = {
  id: 'attest',
  title: 'attesting',
  steps: ({ facts }) => [
    plannedStep('attestRelease', {
      id: ATTEST,
      on: CONTROL,
      needs: [SEAL],
      params: { key: facts.profile.content.attest?.key ?? null },
    }),
  ],
};
