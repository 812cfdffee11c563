import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalArch } from '../../engine/checks/native.js';
import { fail } from '../../model/failure.js';
import type { PlatformFacts } from '../../model/platform.js';
import type { Exit } from '../ports.js';
import { machineName } from '../prove-queue/measure.js';
import { installPinned, makeVenv } from '../step/uv.js';
import type { Work } from '../work.js';
import { cutoffUnknown, otherMachine } from './errors.js';
import { headerEnv } from './header.js';
import { argumentsOf, withoutSaid } from './options.js';
import type { Interpreter } from './ports.js';
import { dash, stdin, type Requirements } from './requirements.js';

/** Options that leave only requirements and hashes in the lock, without their origin. */
const PLAIN = [
  ...[['--generate-hashes'], ['--no-header'], ['--no-annotate'], ['--strip-extras'], ['--allow-unsafe']],
  ...[['--no-emit-index-url'], ['--no-emit-trusted-host'], ['--no-emit-options']],
];

/** pip-tools resolves for the Python and the machine that it runs on, so it runs in an environment of that Python. */
export async function compileByPipTools(
  work: Work<'compileLock'>,
  python: Interpreter,
  from: Requirements,
  to: string,
): Promise<Exit> {
  const { cutoff, options, exact, for: platform } = work.step.params;
  if (cutoff !== null) throw fail(cutoffUnknown(work.step.params.name, cutoff));
  if (!isHere(platform)) throw fail(otherMachine(platform.name, machineName()));
  const own = await environmentOf(work, python);
  const argv = [
    ...[own, '-m', 'piptools', 'compile', '--no-config'],
    ...withoutSaid(exact ? [['--quiet']] : [['--quiet'], ...PLAIN], options),
    ...argumentsOf(options),
    ...['--cache-dir', join(work.env()['PIP_CACHE_DIR'] ?? work.folder, 'pip-tools')],
    ...from.constraints.flatMap((file) => ['--constraint', file]),
    ...['--output-file', to, ...from.in],
  ];
  const env = work.env(headerEnv('CUSTOM_COMPILE_COMMAND', 'pip-compile', work, from));
  return work.exec([...argv, ...dash(from)], { cwd: from.folder, env, ...stdin(from), access: 'resolve' });
}

const isHere = ({ os, arch }: PlatformFacts): boolean => {
  const [system, machine] = machineName().split('-') as [string, string];
  return system === os && canonicalArch(machine) === canonicalArch(arch);
};

/** A fresh environment of that Python with the pip-tools that `prove` pinned; made once for a step. */
async function environmentOf(work: Work<'compileLock'>, { path }: Interpreter): Promise<string> {
  const folder = join(work.folder, 'pip-tools');
  const python = join(folder, 'bin', 'python');
  // A second lock of the step takes the first one's environment: the program has run there, so nothing is fetched into it.
  if (existsSync(python)) return python;
  await makeVenv(work, path, folder);
  await installPinned(work, { python, isFilled: false }, 'pip-tools', 'pip-compile');
  return python;
}
