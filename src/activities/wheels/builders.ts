import { fail } from '../../model/failure.js';
import type { Access } from '../../model/isolation.js';
import { lineEnv } from '../steps/line-env.js';
import { installPinned } from '../step/uv.js';
import type { Work } from '../work.js';
import type { BuildEnv } from './build-env.js';
import { commandMissing } from './errors.js';
import type { Where } from '../../model/params.js';
import { limitReached } from '../step/errors.js';
import { inContainer, toLog } from '../steps/where.js';
import type { ImageContainers } from '../tests/ports.js';

type Argv = readonly string[] | string;

/** Returns the command that builds a wheel or an sdist in the working folder, into `out`. It uses a locked environment
 * without isolation. */
export function builderLine(
  work: Work<'buildWheel'> | Work<'buildSdist'>,
  env: BuildEnv,
  out: string,
  what: 'wheel' | 'sdist',
): Argv {
  const { builder, run } = work.step.params;
  const { python, locked } = env;
  switch (builder) {
    case 'uv':
      return [
        'uv',
        'build',
        `--${what}`,
        '--no-config',
        ...(locked ? ['--no-build-isolation'] : []),
        '--python',
        python,
        '--out-dir',
        out,
        '.',
      ];
    case 'build':
      return [
        python,
        '-m',
        'build',
        `--${what}`,
        ...(locked ? ['--no-isolation', '--skip-dependency-check'] : []),
        '--outdir',
        out,
        '.',
      ];
    case 'pip':
      return [
        python,
        '-m',
        'pip',
        'wheel',
        '--no-deps',
        ...(locked ? ['--no-build-isolation'] : []),
        '--wheel-dir',
        out,
        '.',
      ];
    case 'cibuildwheel':
      return ['cibuildwheel']; // `runCibuildwheel` runs it
    case 'command':
      if (run === null) throw fail(commandMissing(work.step.id));
      return run;
    default:
      return builder satisfies never;
  }
}

/** Without a lock a builder downloads the build requirements from the index. */
export const builderAccess = (work: Work<'buildWheel'> | Work<'buildSdist'>, { locked }: BuildEnv): Access =>
  locked || work.step.params.builder === 'command' ? 'project' : 'resolve';

/** `python -m build` runs in the environment's own Python, so the version that `prove` pinned is installed there. */
export async function addBuilder(work: Work, builder: string, env: BuildEnv): Promise<void> {
  if (builder !== 'build') return;
  await installPinned(work, { python: env.python, isFilled: env.locked }, 'build', 'pyproject-build');
}

export const ownEnv = (
  work: Work<'buildWheel'> | Work<'buildSdist'> | Work<'prepareSource'>,
  out: string,
): Record<string, string> => lineEnv(work.step.params, { files: work.files, out });

export interface BuildLocation {
  /** Runs a program or a shell line with output to the log. Returns the exit status; a time-out or an abort throws. */
  run(
    argv: readonly string[] | string,
    options: { cwd: string; env: Record<string, string>; access?: Access },
  ): Promise<number>;
}

/** The worker's host, or a container with workspace, Pythons, tools and caches at the same paths. */
export function placeOf(
  work: Work,
  where: Where,
  containers: ImageContainers | null,
  pythons: readonly string[],
): BuildLocation {
  if (where.in === 'host') return { run: async (argv, options) => (await work.exec(argv, options)).code };
  return {
    run: async (argv, options) => {
      const line = { line: argv, ...options, pythons, onOutput: toLog(work) };
      const { code, timedOut } = await inContainer(work, { containers }, where.base, line);
      if (timedOut) throw fail(limitReached(work.step.id, work.step.limitMs, work.log.tail()));
      return code;
    },
  };
}
