import type { Problem } from '../../model/failure.js';
import type { Finding } from '../../model/finding.js';
import type { StepId } from '../../model/ids.js';
import type { FailedTry } from '../../model/run-folder.js';

export const buildFailed = (what: string, builder: string, code: number, lines: readonly string[]): Problem => ({
  code: 'BUILD_FAILED',
  class: 'product',
  message: `${what}: ${builder} ended with status ${code}`,
  next:
    missingPart(lines) ??
    'Read the last lines, or all of them with `slipway logs STEP`. In the release file: `env` for flags, `packages` for Debian packages, `overlay` or `prepare` for files, and for a build tool that is too new a lock in `deps` that pins it (`Cython<3`), named in `needs`: it is then the whole build environment.',
  evidence: lines,
  details: { exitCode: code },
});

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
  const config = /No package '([\w.+-]+)' found|Package ([\w.+-]+) was not found in the pkg-config/.exec(text);
  if (config)
    return `pkg-config knows no ${config[1] ?? config[2]}: name the Debian package that holds ${config[1] ?? config[2]}.pc in \`packages\` (often lib…-dev).`;
  if (/PKG-INFO was already added/.test(text))
    return 'The commit is an unpacked sdist, and the build makes its own PKG-INFO. Type `git rm PKG-INFO && git commit`, or release the sdist itself: `source: { sdist: NAME==VERSION, sha256: … }`.';
  const module = /ModuleNotFoundError: No module named '([\w.]+)'/.exec(text)?.[1];
  if (module)
    return `The build needs the Python module ${module}: add its project to \`requires\` of a lock in \`deps\` and name the lock in \`needs\`.`;
  return null;
}

/** @param until end of the time for which it is remembered */
export const failedBefore = (step: StepId, { at, run, problem }: FailedTry, until: Date): Problem => ({
  code: 'FAILED_BEFORE',
  class: 'product',
  message: `the same build failed on ${at.slice(0, 10)} and is not tried again before ${until.toISOString().slice(0, 10)}: ${problem.message}`,
  next: `Read it with \`slipway logs ${step} --run ${run}\`. A change of its entry makes it another build; \`slipway retry\` tries this one now.`,
  evidence: problem.evidence ?? [],
  details: { code: problem.code, run, at },
});

export const buildRequiresFailed = (project: string, lines: readonly string[]): Problem => ({
  code: 'BUILD_REQUIRES_FAILED',
  class: 'product',
  message: `the build backend of ${project} does not say what it needs for a wheel`,
  next: 'Read the last lines. Pin a build tool that is too new with `requires: [setuptools<80]`, or correct pyproject.toml by `overlay`.',
  evidence: lines,
});

export const buildUnsolvable = (project: string, requires: readonly string[], lines: readonly string[]): Problem => ({
  code: 'BUILD_UNSOLVABLE',
  class: 'product',
  message: `uv found no versions for the build requirements of ${project}: ${requires.join(', ')}`,
  next: 'Read its reasoning below. Loosen `requires`, or move `cutoff`.',
  evidence: lines,
});

export const wheelAbsent = (outputs: readonly string[]): Problem => ({
  code: 'WHEEL_ABSENT',
  class: 'product',
  message: `the build ended well and left no wheel at ${outputs.join(', ')}`,
  next: 'Let the command write its wheel into {out}, or name the place in `outputs`.',
});

export const wheelsTooMany = (names: readonly string[]): Problem => ({
  code: 'WHEELS_TOO_MANY',
  class: 'product',
  message: `one step makes one wheel; the build left ${names.join(', ')}`,
  next: 'Narrow `outputs` in the release file, or make an entry of its own for each.',
});

export const repairFailed = (wheel: string, lines: readonly string[]): Problem => ({
  code: 'REPAIR_FAILED',
  class: 'product',
  message: `auditwheel could not repair ${wheel}`,
  next: 'Read its output. Name a library that users install themselves in `repair: { exclude: [NAME] }`, and the package of a missing one in `packages`.',
  evidence: lines,
});

export const pythonNotMounted = (tag: string): Problem => ({
  code: 'PYTHON_NOT_MOUNTED',
  class: 'config',
  message: `${tag} of this worker is the system's own (/usr): it cannot be mounted into cibuildwheel's container`,
  next: 'Install that Python by pyenv, which gives it a folder of its own, or write `builder: uv`.',
});

export const basePythonAbsent = (base: string, lines: readonly string[]): Problem => ({
  code: 'BASE_PYTHON_ABSENT',
  class: 'config',
  message: `${base} has no python3, and \`python: own\` builds with it`,
  next: 'Name an image that has Python in `bases`, or take `python: own` away: a Python of the worker then builds.',
  evidence: lines,
});

export const basePythonDiffers = (base: string, found: string, wanted: string): Problem => ({
  code: 'BASE_PYTHON_DIFFERS',
  class: 'config',
  message: `the Python of ${base} is ${found}, and the step builds for ${wanted}`,
  next: `Write \`pythons: [${found}]\` for that platform, or name a base of another release of the distribution.`,
});

export const baseHeadersAbsent = (base: string, version: string): Problem => ({
  code: 'PYTHON_HEADERS_ABSENT',
  class: 'config',
  message: `Python ${version} of ${base} is there without its headers (Python.h): no extension can be compiled with it`,
  next: 'Name an image in `bases` that has them; a Debian base gets python3-dev by itself.',
});

export const commandMissing = (step: string): Problem => ({
  code: 'COMMAND_MISSING',
  class: 'config',
  message: `${step} has \`builder: command\` and no \`run\``,
  next: 'Write `run:` with a shell line that leaves its result in {out}, or name another builder.',
});

export const normaliseNothing = (globs: readonly string[]): Problem => ({
  code: 'NORMALISE_NOTHING',
  class: 'config',
  message: `nothing in the prepared tree matches ${globs.join(', ')}`,
  next: 'Correct `prepare.normalise` in the release file; it is relative to the top of the source.',
});

export const refused = ({ code, subject, why, next }: Finding): Problem => ({
  code,
  class: 'product',
  message: `${subject}: ${why}`,
  next,
});
