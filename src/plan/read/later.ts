import type { Path } from '../errors.js';

/** Words of the format that this version does not carry out; `*` is any name. They get an answer of their own, not "unknown key". */
const LATER = [
  'attest',
  'announce',
  'tests.*.import',
  'publish.*.kind.central',
  'publish.*.kind.command',
  'publish.*.mode',
].map((text) => text.split('.'));

export const laterWord = (path: Path): boolean =>
  LATER.some(
    (words) => words.length === path.length && words.every((word, index) => word === '*' || word === path[index]),
  );
