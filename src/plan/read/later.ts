import type { Path } from '../errors.js';

/** Reserved keys that this version does not support. `*` is any name. They get their own message instead of "unknown
 * key". */
const LATER = ['attest', 'announce', 'publish.*.kind.central', 'publish.*.kind.command', 'publish.*.mode'].map((text) =>
  text.split('.'),
);

export const laterWord = (path: Path): boolean =>
  LATER.some(
    (words) => words.length === path.length && words.every((word, index) => word === '*' || word === path[index]),
  );
