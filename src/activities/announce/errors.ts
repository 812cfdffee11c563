import type { Problem } from '../../model/failure.js';

export const nothingPublished = (step: string): Problem => ({
  code: 'NOTHING_TO_ANNOUNCE',
  class: 'bug',
  message: `${step} has nothing among its inputs that was published`,
  next: 'Nobody was told. Please report this with the output of `slipway plan --json`.',
});
