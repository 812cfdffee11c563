import { problem } from '../../model/problem.js';
import type { Problem } from '../../model/failure.js';
import type { Finding } from '../../model/finding.js';

export const buildFailed = problem.product((what: string, builder: string, code: number, lines: readonly string[]) => [
  'BUILD_FAILED',
  `${what}: ${builder} ended with status ${code}`,
  missingPart(lines) ??
    'Read the last lines, or all of them with `slipway logs STEP`. In the release file: `env` for flags, `packages` for Debian packages, `overlay` or `prepare` for files, and for a build tool that is too new a lock in `deps` that pins it (`Cython<3`), named in `needs`: it is then the whole build environment.',
  { evidence: lines, details: { exitCode: code } },
]);

function missingPart(lines: readonly string[]): string | null {
  const text = lines.join('\n');
  // The messages of gcc, then clang.
  const header =
    /fatal error: ([\w./+-]+\.h\w*): No such file/.exec(text)?.[1] ??
    /fatal error: '([\w./+-]+\.h\w*)' file not found/.exec(text)?.[1];
  if (header)
    return `The compiler misses ${header}: name the Debian package that holds it in \`packages\` (\`apt-file search ${header}\`, often lib…-dev), or the folder in \`env: { CFLAGS: -I… }\`.`;
  const library = /cannot find -l([\w.+-]+)/.exec(text)?.[1];
  if (library)
    return `The linker misses lib${library}: name its Debian package in \`packages\` (often lib${library}-dev).`;
  const absent = /No package '([\w.+-]+)' found|Package ([\w.+-]+) was not found in the pkg-config/.exec(text);
  if (absent)
    return `pkg-config knows no ${absent[1] ?? absent[2]}: name the Debian package that holds ${absent[1] ?? absent[2]}.pc in \`packages\` (often lib…-dev).`;
  if (/PKG-INFO was already added/.test(text))
    return 'The commit is an unpacked sdist, and the build makes its own PKG-INFO. Type `git rm PKG-INFO && git commit`, or release the sdist itself: `source: { sdist: NAME==VERSION, sha256: … }`.';
  const module = /ModuleNotFoundError: No module named '([\w.]+)'/.exec(text)?.[1];
  if (module)
    return `The build needs the Python module ${module}: add its project to \`requires\` of a lock in \`deps\` and name the lock in \`needs\`.`;
  return null;
}

export const buildRequiresFailed = problem.product((project: string, lines: readonly string[]) => [
  'BUILD_REQUIRES_FAILED',
  `the build backend of ${project} does not say what it needs for a wheel`,
  'Read the last lines. Pin a build tool that is too new with `requires: [setuptools<80]`, or correct pyproject.toml by `overlay`.',
  { evidence: lines },
]);
export const buildUnsolvable = problem.product(
  (project: string, requires: readonly string[], lines: readonly string[]) => [
    'BUILD_UNSOLVABLE',
    `uv found no versions for the build requirements of ${project}: ${requires.join(', ')}`,
    'Read its reasoning below. Loosen `requires`, or move `cutoff`.',
    { evidence: lines },
  ],
);
export const wheelAbsent = problem.product((outputs: readonly string[]) => [
  'WHEEL_ABSENT',
  `the build ended well and left no wheel at ${outputs.join(', ')}`,
  'Let the command write its wheel into {out}, or name the place in `outputs`.',
]);
export const wheelsTooMany = problem.product((names: readonly string[]) => [
  'WHEELS_TOO_MANY',
  `one step makes one wheel; the build left ${names.join(', ')}`,
  'Narrow `outputs` in the release file, or make an entry of its own for each.',
]);
export const repairFailed = problem.product((wheel: string, lines: readonly string[]) => [
  'REPAIR_FAILED',
  `auditwheel could not repair ${wheel}`,
  'Read its output. Name a library that users install themselves in `repair: { exclude: [NAME] }`, and the package of a missing one in `packages`.',
  { evidence: lines },
]);
export const pythonNotMounted = problem.config((tag: string) => [
  'PYTHON_NOT_MOUNTED',
  `${tag} of this worker is the system's own (/usr): it cannot be mounted into cibuildwheel's container`,
  'Install that Python by pyenv, which gives it a folder of its own, or write `builder: uv`.',
]);
export const basePythonAbsent = problem.config((base: string, lines: readonly string[]) => [
  'BASE_PYTHON_ABSENT',
  `${base} has no python3, and \`python: own\` builds with it`,
  'Name an image that has Python in `bases`, or take `python: own` away: a Python of the worker then builds.',
  { evidence: lines },
]);
export const basePythonDiffers = problem.config((base: string, found: string, wanted: string) => [
  'BASE_PYTHON_DIFFERS',
  `the Python of ${base} is ${found}, and the step builds for ${wanted}`,
  `Write \`pythons: [${found}]\` for that platform, or name a base of another release of the distribution.`,
]);
export const baseHeadersAbsent = problem.config((base: string, version: string) => [
  'PYTHON_HEADERS_ABSENT',
  `Python ${version} of ${base} is there without its headers (Python.h): no extension can be compiled with it`,
  'Name an image in `bases` that has them; a Debian base gets python3-dev by itself.',
]);
export const commandMissing = problem.config((step: string) => [
  'COMMAND_MISSING',
  `${step} has \`builder: command\` and no \`run\``,
  'Write `run:` with a shell line that leaves its result in {out}, or name another builder.',
]);
export const normaliseNothing = problem.config((globs: readonly string[]) => [
  'NORMALISE_NOTHING',
  `nothing in the prepared tree matches ${globs.join(', ')}`,
  'Correct `prepare.normalise` in the release file; it is relative to the top of the source.',
]);

export const refused = ({ code, subject, why, next }: Finding): Problem => ({
  code,
  class: 'product',
  message: `${subject}: ${why}`,
  next,
});
