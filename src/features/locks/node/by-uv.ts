import { dirname, join } from 'node:path';
import type { Exit } from '../../../activities/ports.js';
import type { Work } from '../../../activities/work.js';
import { environmentOf } from './own-tool.js';
import { headerEnv } from './header.js';
import { argumentsOf, says, withoutSaid } from '../../../activities/tool-options.js';
import type { Interpreter } from '../../../activities/pythons/ports.js';
import { canonicalArch } from '../../../engine/checks/native.js';
import type { PlatformFacts } from '../../../model/platform.js';
import { dash, stdin, type Requirements } from './requirements.js';

const PLAIN = [['--generate-hashes'], ['--no-header'], ['--no-annotate']] as const;

/** uv resolves for any platform on any machine. */
export async function compileByUv(
  work: Work<'compileLock'>,
  python: Interpreter,
  from: Requirements,
  to: string,
): Promise<Exit> {
  const { cutoff, options, exact, version } = work.step.params;
  const uv = version === undefined ? 'uv' : join(dirname(await environmentOf(work, python)), 'uv');
  const platform = says(options, '--universal') ? null : uvPlatform(work.step.params.for);
  const own = [
    ['--quiet'],
    ...(exact ? [] : PLAIN),
    ['--python-version', majorMinor(python.version)],
    ...(platform === null ? [] : [['--python-platform', platform]]),
  ];
  const argv = [
    ...[uv, 'pip', 'compile', '--no-config', '--python', python.path],
    ...withoutSaid(own, options),
    ...(cutoff === null ? [] : ['--exclude-newer', cutoff]),
    ...argumentsOf(options),
    ...from.constraints.flatMap((file) => ['--constraints', file]),
    ...['--output-file', to, ...from.in],
  ];
  const env = work.env(headerEnv('UV_CUSTOM_COMPILE_COMMAND', 'uv pip compile', work, from));
  return work.exec([...argv, ...dash(from)], { cwd: from.folder, env, ...stdin(from), access: 'resolve' });
}

const majorMinor = (version: string): string => version.split('.').slice(0, 2).join('.');

/** Returns uv's name of a platform, so that a lock does not depend on the machine. Linux means glibc 2.34, which
 * current wheels are built for. Null if uv has no name for it and uses the machine's own. */
export function uvPlatform({ os, arch }: Pick<PlatformFacts, 'os' | 'arch'>): string | null {
  const cpu = canonicalArch(arch);
  if (!/^(x86_64|aarch64)$/.test(cpu)) return null;
  if (os === 'linux') return `${cpu}-manylinux_2_34`;
  if (os === 'macos') return `${cpu}-apple-darwin`;
  if (os === 'windows') return `${cpu}-pc-windows-msvc`;
  return null;
}
