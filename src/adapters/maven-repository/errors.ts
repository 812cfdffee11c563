import { problem } from '../../model/problem.js';

export const signaturesIncomplete = problem.product(
  (target: string, unsigned: readonly string[], stray: readonly string[]) => [
    'SIGNATURES_INCOMPLETE',
    [
      ...(unsigned.length > 0
        ? [`${target} would get ${unsigned.join(', ')} without a signature beside signed files`]
        : []),
      ...(stray.length > 0 ? [`${target} would get ${stray.join(', ')} without the file that it signs`] : []),
    ].join('; '),
    'Nothing was uploaded. Sign all of it or none: `sign:` of the entry in `jars:` signs every file of it.',
  ],
);
