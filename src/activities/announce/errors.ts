import { problem } from '../../model/problem.js';

export const nothingPublished = problem.bug((step: string) => [
  'NOTHING_TO_ANNOUNCE',
  `${step} has nothing among its inputs that was published`,
  'Nobody was told. Please report this with the output of `slipway plan --json`.',
]);
