import { short } from '../../model/digest.js';
import type { Problem } from '../../model/failure.js';

export const indexRestless = (platform: string, rounds: number): Problem => ({
  code: 'INDEX_RESTLESS',
  class: 'infra',
  message: `the index of ${platform} changed during each of ${rounds} drawings of its pages`,
  next: 'Find who else writes into its folder or bucket. The step tries again by itself.',
});

export const metadataAbsent = (file: string): Problem => ({
  code: 'WHEEL_METADATA_ABSENT',
  class: 'product',
  message: `${file} has no METADATA in its .dist-info folder, so no installer can read it`,
  next: 'Let a build backend make the wheel, then start the run again.',
});

export const metadataTwice = (file: string): Problem => ({
  code: 'WHEEL_METADATA_TWICE',
  class: 'product',
  message: `${file} has several .dist-info folders with METADATA, and pip refuses it`,
  next: 'Let a build backend make the wheel, then start the run again.',
});

export const metadataTooLong = (file: string, mostBytes: number): Problem => ({
  code: 'WHEEL_METADATA_TOO_LONG',
  class: 'product',
  message: `${file} has METADATA of more than ${mostBytes >> 20} MiB, and every installer downloads it`,
  next: 'Shorten the project description in its source, then start the run again.',
});

export const metadataNotText = (file: string): Problem => ({
  code: 'WHEEL_METADATA_NOT_TEXT',
  class: 'product',
  message: `${file} has METADATA that is not UTF-8, and no installer reads it`,
  next: 'Correct the encoding of the project description in its source, then start the run again.',
});

export const entryOfOthers = (path: string, listed: string, held: string): Problem => ({
  code: 'INDEX_ENTRY_DIFFERS',
  class: 'conflict',
  message: `${path} describes ${short(listed)}, and the index holds ${short(held)} under that name`,
  next: 'Find who changed the folder. Remove the wheel that you do not trust, with its entry, then `slipway retry`.',
});

export const notAnIndex = (step: string, plan: string): Problem => ({
  code: 'INDEX_STEP_UNKNOWN',
  class: 'config',
  message: `${JSON.stringify(step.slice(0, 100))} of the plan ${short(plan)} does not publish to a static index`,
  next: 'Type `slipway run FILE`: its publish steps ask for the pages of their wheels.',
});
