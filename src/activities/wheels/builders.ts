import { fail } from '../../model/failure.js';
import type { Access } from '../../model/isolation.js';
import { lineEnv } from '../steps/line-env.js';
import { installPinned } from '../step/uv.js';
import type { Work } from '../work.js';
import type { BuildEnv } from './build-env.js';
import { commandMissing } from './errors.js';

type Argv = readonly string[] | string;

/** Returns the command that builds a wheel or an sdist in the working folder, into `out`. It uses a locked environment as it is. */
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
      return ['cibuildwheel']; // run by itself, beside its container
    case 'command':
      if (run === null) throw fail(commandMissing(work.step.id));
      return run;
    default:
      return builder satisfies never;
  }
}

/** A builder without a lock asks the index for what the project's metadata names. */
export const builderAccess = (work: Work<'buildWheel'> | Work<'buildSdist'>, { locked }: BuildEnv): Access =>
  locked || work.step.params.builder === 'command' ? 'project' : 'resolve';

/** `python -m build` runs in the environment's own Python: the version of it that `prove` pinned is put there. */
export async function addBuilder(work: Work, builder: string, env: BuildEnv): Promise<void> {
  if (builder !== 'build') return;
  await installPinned(work, { python: env.python, isFilled: env.locked }, 'build', 'pyproject-build');
}

/** The file's own variables, and those that its line reads. */
export const ownEnv = (
  work: Work<'buildWheel'> | Work<'buildSdist'> | Work<'prepareSource'>,
  out: string,
): Record<string, string> => lineEnv(work.step.params, { files: work.files, out });
