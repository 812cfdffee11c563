import { join } from 'node:path';
import { canonicalArch } from '../../../engine/checks/native.js';
import { fail } from '../../../model/failure.js';
import type { PlatformFacts } from '../../../model/platform.js';
import type { Exit } from '../../../activities/ports.js';
import { machineName } from '../../../activities/prove-queue/measure.js';
import type { Work } from '../../../activities/work.js';
import { cutoffUnknown, otherMachine } from './errors.js';
import { environmentOf } from './own-tool.js';
import { headerEnv } from './header.js';
import { argumentsOf, withoutSaid } from '../../../activities/tool-options.js';
import type { Interpreter } from '../../../activities/pythons/ports.js';
import { dash, stdin, type Requirements } from './requirements.js';

const PLAIN = [
  ...[['--generate-hashes'], ['--no-header'], ['--no-annotate'], ['--strip-extras'], ['--allow-unsafe']],
  ...[['--no-emit-index-url'], ['--no-emit-trusted-host'], ['--no-emit-options']],
];

/** pip-tools resolves for the Python and machine that it runs on, so it gets an environment of that Python. Throws
 * CUTOFF_UNKNOWN for a cut-off, LOCK_OTHER_MACHINE for another platform. */
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
