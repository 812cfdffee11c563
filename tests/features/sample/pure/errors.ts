import type { Problem } from '../../../model/failure.js';

export const licenceNotAllowed = (file: string, licence: string | null, allow: readonly string[]): Problem => ({
  code: 'LICENCE_NOT_ALLOWED',
  class: 'product',
  message: `${file} names ${licence ?? 'no licence'}; allowed are ${allow.join(', ')}`,
  next: 'Add the licence to `allow` under scans, or take the file out.',
});
