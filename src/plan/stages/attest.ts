import { CONTROL } from '../../model/ids.js';
import { draft } from '../draft.js';
import type { Stage } from '../stage.js';
import { SEAL } from './seal.js';

export const ATTEST = 'attest/release';

/** Says of all that is sealed where it comes from; nothing goes out before. */
export const attest: Stage = {
  id: 'attest',
  title: 'attesting',
  steps: ({ facts }) => [
    draft('attestRelease', {
      id: ATTEST,
      on: CONTROL,
      needs: [SEAL],
      params: { key: facts.profile.content.attest?.key ?? null },
    }),
  ],
};
