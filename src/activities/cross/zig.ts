import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalArch } from '../../engine/checks/native.js';
import { fail } from '../../model/failure.js';
import type { PlatformFacts } from '../../model/platform.js';
import { filledMark } from '../sha256.js';
import { readInside } from '../step/inside.js';
import { findFiles } from '../steps/outputs.js';
import { toolsFolder } from '../tools-folder.js';
import type { Work } from '../work.js';
import { zigAbsent, zigTargetUnknown } from './errors.js';

const C_PLUS_PLUS = ['cpp', 'cc', 'cxx', 'c++', 'C', 'mm'].map((suffix) => `**/*.${suffix}`);
/** Files that name the language of what Cython writes. */
const NAMING = ['**/*.pyx', '**/setup.py'];
const MOST_BYTES = 16 * 1024 * 1024;
/** zig compiles its runtime libraries separately for builds with and without optimisation. */
const LEVELS = ['-O0', '-O3'];

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

/** Fills the shared cache with zig's runtime libraries for a target, which takes about 30 s. Programs of the project
 * may only read that cache, so Slipway compiles its own sources here. */
export async function fillZig(work: Work, zig: string, target: string): Promise<void> {
  const version = work.toolchain?.tools['zig'] ?? '';
  const cache = work.env()['ZIG_GLOBAL_CACHE_DIR'] ?? work.folder;
  for (const language of (await hasCxx(work)) ? (['cc', 'c++'] as const) : (['cc'] as const)) {
    const filled = join(cache, filledMark([version, target, language, ...LEVELS].join(' ')));
    if (existsSync(filled) || !(await compiles(work, zig, language, target))) continue;
    await mkdir(cache, { recursive: true });
    await writeFile(filled, '');
  }
}

/** Build requirements, such as Cython, bring C++ of their own, which nothing here compiles. */
async function hasCxx(work: Work): Promise<boolean> {
  const own = async (globs: readonly string[]): Promise<readonly string[]> =>
    (await findFiles(work, work.folder, globs)).filter((path) => !path.startsWith('venv/'));
  if ((await own(C_PLUS_PLUS)).length > 0) return true;
  return (await own(NAMING)).some((path) => readInside(work, join(work.folder, path), MOST_BYTES).includes('c++'));
}

const SOURCES = {
  cc: ['int f(void) { return 0; }', 'int main(void) { return 0; }'],
  'c++': [
    '#include <string>\nstd::string f() { throw std::string("x"); }',
    '#include <iostream>\nint main() { std::cout << 1; }',
  ],
} as const;

async function compiles(work: Work, zig: string, language: keyof typeof SOURCES, target: string): Promise<boolean> {
  const folder = join(work.folder, 'cross', 'fill');
  await mkdir(folder, { recursive: true });
  const [library, program] = [join(folder, 'library'), join(folder, 'program')];
  await writeFile(library, SOURCES[language][0]);
  await writeFile(program, SOURCES[language][1]);
  const compiler = [zig, language, '-target', target, '-fno-sanitize=undefined', '-g0', '-o', join(folder, 'out')];
  const kind = ['-x', language === 'cc' ? 'c' : 'c++'];
  for (const level of LEVELS)
    for (const what of [
      ['-shared', '-fPIC', ...kind, library],
      [...kind, program],
    ])
      if ((await work.exec([...compiler, level, ...what], { access: 'fetch' })).code !== 0) return false;
  return true;
}
