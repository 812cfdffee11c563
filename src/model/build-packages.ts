/** Debian packages that a step under `packages:` may need besides its own: a compiler, and the libraries below the worker's own
 * Pythons, which are mounted. */
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
