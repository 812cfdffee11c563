import { join } from 'node:path';
import { canonicalArch } from '../../engine/checks/native.js';
import { fail } from '../../model/failure.js';
import type { PlatformFacts } from '../../model/platform.js';
import { toolsFolder } from '../tools-folder.js';
import type { Work } from '../work.js';
import { zigAbsent, zigTargetUnknown } from './errors.js';

/** Returns zig's target triple with the oldest C library or system: `aarch64-linux-gnu.2.17`. Throws CROSS_CANNOT for
 * an unknown system. */
export function zigTarget({ name, os, arch, libc }: PlatformFacts): string {
  const cpu = canonicalArch(arch);
  if (os === 'macos') return `${cpu}-macos.${libc?.floor ?? '11.0'}`;
  if (os === 'linux') return libc?.name === 'musl' ? `${cpu}-linux-musl` : `${cpu}-linux-gnu.${libc?.floor ?? '2.17'}`;
  throw fail(zigTargetUnknown(name, os));
}

/** Returns the path of zig's program inside its Python package. Running it directly saves the start of a Python each
 * time. Throws ZIG_ABSENT if the package is missing. */
export async function findZig(work: Work): Promise<string> {
  const python = join(toolsFolder(work.env()), 'python');
  const ask = 'import ziglang, os; print(os.path.join(os.path.dirname(ziglang.__file__), "zig"))';
  const said = await work.capture('"$PYTHON" -c "$ASK" 2>/dev/null || true', {
    env: work.env({ PYTHON: python, ASK: ask }),
  });
  if (said.trim() === '') throw fail(zigAbsent());
  return said.trim();
}
