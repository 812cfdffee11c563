import { problem } from '../../../model/problem.js';

export const licenceNotAllowed = problem.product((file: string, licence: string | null, allow: readonly string[]) => [
  'LICENCE_NOT_ALLOWED',
  `${file} names ${licence ?? 'no licence'}; allowed are ${allow.join(', ')}`,
  'Add the licence to `allow` under scans, or take the file out.',
]);
