import { fail } from '../../model/failure.js';
import type { Access } from '../../model/isolation.js';
import { lineEnv } from '../steps/line-env.js';
import { installPinned } from '../step/uv.js';
import type { Work } from '../work.js';
import type { BuildEnv } from './build-env.js';
import { commandMissing } from './errors.js';

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
