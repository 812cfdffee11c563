import type { PlatformFacts } from '../../model/platform.js';
import { crossTools } from '../cross/cross-tools.js';
import type { Work } from '../work.js';
import type { BuildEnv } from './build-env.js';

type Facts = Pick<PlatformFacts, 'os' | 'arch' | 'libc'>;

/** Returns variables that make setuptools and others build for the step's platform with this machine's Python. Empty if
 * the step is for this machine. This Python's headers fit 64-bit Linux and macOS, whose C types have equal sizes. */
export async function crossEnv(work: Work<'buildWheel'>, { interpreter }: BuildEnv): Promise<Record<string, string>> {
  const { cross, for: platform } = work.step.params;
  if (cross === null) return ownPlatform(platform);
  const tools = await crossTools(work, cross, platform);
  const link = linkLine(platform);
  return {
    ...tools,
    ...ownPlatform(platform),
    LDSHARED: `${tools['CC']} ${link}`,
    LDCXXSHARED: `${tools['CXX']} ${link}`,
    _PYTHON_HOST_PLATFORM: hostPlatform(platform),
    SETUPTOOLS_EXT_SUFFIX: extensionSuffix(interpreter.tag, platform),
  };
}

/** Compilers on macOS target its own version unless this variable names an older one. */
const ownPlatform = ({ os, libc }: Facts): Record<string, string> =>
  os === 'macos' && libc?.name === 'macos' ? { MACOSX_DEPLOYMENT_TARGET: libc.floor } : {};

/** On macOS the interpreter's symbols are resolved at load time. */
const linkLine = ({ os }: Facts): string => (os === 'macos' ? '-shared -undefined dynamic_lookup' : '-shared');

/** Returns the value of `sysconfig.get_platform()` on the platform. */
export const hostPlatform = ({ os, arch, libc }: Facts): string =>
  os === 'macos' ? `macosx-${libc?.floor ?? '11.0'}-${arch}` : `${os}-${arch}`;

/** Returns EXT_SUFFIX of that Python: `.cpython-312-aarch64-linux-gnu.so`, or `-linux-musl.so`. */
export function extensionSuffix(tag: string, { os, arch, libc }: Pick<PlatformFacts, 'os' | 'arch' | 'libc'>): string {
  const version = tag.replace(/^cp/, '');
  if (os === 'macos') return `.cpython-${version}-darwin.so`;
  return `.cpython-${version}-${arch}-linux-${libc?.name === 'musl' ? 'musl' : 'gnu'}.so`;
}
