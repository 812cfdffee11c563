import type { Problem } from '../../model/failure.js';

export const signaturesIncomplete = (
  target: string,
  unsigned: readonly string[],
  stray: readonly string[],
): Problem => ({
  code: 'SIGNATURES_INCOMPLETE',
  class: 'product',
  message: [
    ...(unsigned.length > 0
      ? [`${target} would get ${unsigned.join(', ')} without a signature beside signed files`]
      : []),
    ...(stray.length > 0 ? [`${target} would get ${stray.join(', ')} without the file that it signs`] : []),
  ].join('; '),
  next: 'Nothing was uploaded. Sign all of it or none: `sign:` of the entry in `jars:` signs every file of it.',
});
