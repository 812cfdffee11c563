/** Debian packages under a base whose own Python builds wheels. */
export const WITH_OWN_PYTHON = ['ca-certificates', 'file', 'g++', 'gcc', 'make', 'pkg-config', 'python3-dev'] as const;

/** Debian packages that every step under `packages:` may need besides its own: a compiler, and the libraries of the
 * worker's mounted Pythons. */
export const UNDER_EVERY_BUILD = [
  'ca-certificates',
  'file',
  'g++',
  'gcc',
  'libbz2-1.0',
  'libffi8',
  'liblzma5',
  'libreadline8',
  'libsqlite3-0',
  'libssl3',
  'make',
  'pkg-config',
  'zlib1g',
] as const;
