import type { Altered } from '../../engine/ledger/altered.js';
import { problem } from '../../model/problem.js';
import type { StepId } from '../../model/ids.js';

export const nameTwice = problem.config((name: string, steps: readonly StepId[]) => [
  'NAME_TWICE',
  `${name} was made ${steps.length} times with different bytes, by ${steps.join(', ')}; an index holds one`,
  'Nothing was uploaded. A wheel that fits all Pythons is built once: `python: none` under the wheel, or `pythons: [ONE]` for an abi3 wheel.',
]);

const MOST_NAMED = 12;

export const absentUnexplained = problem.denied(([first, ...more]: readonly StepId[]) => [
  'SEAL_UNEXPLAINED',
  `${[first, ...more].slice(0, MOST_NAMED).join(', ')}${more.length < MOST_NAMED ? '' : ` and ${more.length + 1 - MOST_NAMED} more`} ${more.length === 0 ? 'has' : 'have'} no result, and neither the plan nor the run's audit says that ${more.length === 0 ? 'it was' : 'they were'} left out`,
  `Type \`slipway retry --from ${first}\`; or leave it out with \`slipway skip ${first} --reason …\`, then \`slipway retry seal/manifest\`.`,
]);
/** @param step the step of that record */
export const sealDiffers = problem.conflict((record: string, step: StepId, { name, named, sealed }: Altered) => [
  'SEAL_DIFFERS',
  `the record ${record} names ${named ?? 'no bytes'} as ${name}, and this run sealed ${sealed ?? 'none'}`,
  `Nothing was published from it. Find who wrote into the store, then type \`slipway retry --from ${step}\`, which makes and seals it again.`,
  { details: { record, named, sealed } },
]);
export const sealNotTold = problem.config((step: StepId) => [
  'SEAL_NOT_TOLD',
  `${step} was started without the digest of what is sealed, and a record alone is not believed`,
  'Seal again with this version of Slipway: `slipway retry --from seal/manifest`.',
]);
