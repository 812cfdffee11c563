import type { Altered } from '../../engine/ledger/altered.js';
import type { Problem } from '../../model/failure.js';
import type { StepId } from '../../model/ids.js';

export const nameTwice = (name: string, steps: readonly StepId[]): Problem => ({
  code: 'NAME_TWICE',
  class: 'config',
  message: `${name} was made ${steps.length} times with different bytes, by ${steps.join(', ')}; an index holds one`,
  next: 'Nothing was uploaded. A wheel that fits all Pythons is built once: `python: none` under the wheel, or `pythons: [ONE]` for an abi3 wheel.',
});

/** @param step the step of that record */
export const sealDiffers = (record: string, step: StepId, { name, named, sealed }: Altered): Problem => ({
  code: 'SEAL_DIFFERS',
  class: 'conflict',
  message: `the record ${record} names ${named ?? 'no bytes'} as ${name}, and this run sealed ${sealed ?? 'none'}`,
  next: `Nothing was published from it. Find who wrote into the store, then type \`slipway retry --from ${step}\`, which makes and seals it again.`,
  details: { record, named, sealed },
});

export const sealNotTold = (step: StepId): Problem => ({
  code: 'SEAL_NOT_TOLD',
  class: 'config',
  message: `${step} was started without the digest of what is sealed, and a record alone is not believed`,
  next: 'Seal again with this version of Slipway: `slipway retry --from seal/manifest`.',
});
