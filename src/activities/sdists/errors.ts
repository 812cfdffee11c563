import { problem } from '../../model/problem.js';

export const sdistNotInSource = problem.config((step: string) => [
  'SDIST_NOT_IN_SOURCE',
  `${step} takes the source's own sdist, and the source is not one`,
  'Leave out `from: source`: the sdist is then built from the commit.',
]);
export const sdistNotMade = problem.product((outputs: readonly string[], found: readonly string[]) => [
  'SDIST_NOT_MADE',
  `one .tar.gz was expected at ${outputs.join(', ')}; there is ${found.join(', ') || 'none'}`,
  'Let the command write one source archive into {out}, or name the place in `outputs`.',
]);
