import type { Problem } from '../../model/failure.js';

export const sdistNotInSource = (step: string): Problem => ({
  code: 'SDIST_NOT_IN_SOURCE',
  class: 'config',
  message: `${step} takes the source's own sdist, and the source is not one`,
  next: 'Leave out `from: source`: the sdist is then built from the commit.',
});

export const sdistNotMade = (outputs: readonly string[], found: readonly string[]): Problem => ({
  code: 'SDIST_NOT_MADE',
  class: 'product',
  message: `one .tar.gz was expected at ${outputs.join(', ')}; there is ${found.join(', ') || 'none'}`,
  next: 'Let the command write one source archive into {out}, or name the place in `outputs`.',
});
