import type { Command } from '../ports.js';

type Argv = Command['argv'];

/** Command lines that build, as builders.ts and maven-arguments.ts write them. */
const BUILDERS = /^(uv build |cibuildwheel|mvn |\S+ -m (build|pip wheel) )/;

/** Whether a program that a step is about to run is the one that it is about: the line of its release file, else what builds.
 * @param line null: the release file says none */
export const isOwnLine =
  (line: string | null): ((argv: Argv) => boolean) =>
  (argv) =>
    line === null ? typeof argv !== 'string' && BUILDERS.test(argv.join(' ')) : shellLine(argv) === line;

/** Returns the line for a shell, or the program with its arguments quoted. */
export const shellLine = (argv: Argv): string =>
  typeof argv === 'string' ? argv : argv[0] === 'sh' && argv[1] === '-eu' ? argv.slice(3).join(' ') : argv.join(' ');
