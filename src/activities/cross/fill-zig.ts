import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filledMark } from '../sha256.js';
import { findFiles } from '../steps/outputs.js';
import type { Work } from '../work.js';

const C_PLUS_PLUS = ['**/*.cpp', '**/*.cc', '**/*.cxx'];
/** zig compiles its runtime libraries separately for builds with and without optimisation. */
const LEVELS = ['-O0', '-O3'];

/** Fills the shared cache with zig's runtime libraries for a target, which takes about 30 s. Programs of the project
 * may only read that cache, so Slipway compiles its own sources here. */
export async function fillZig(work: Work, zig: string, target: string): Promise<void> {
  const more = (await findFiles(work, work.folder, C_PLUS_PLUS)).length > 0;
  const version = work.toolchain?.tools['zig'] ?? '';
  const cache = work.env()['ZIG_GLOBAL_CACHE_DIR'] ?? work.folder;
  for (const language of more ? (['cc', 'c++'] as const) : (['cc'] as const)) {
    const filled = join(cache, filledMark([version, target, language, ...LEVELS].join(' ')));
    if (existsSync(filled) || !(await compiles(work, zig, language, target))) continue;
    await mkdir(cache, { recursive: true });
    await writeFile(filled, '');
  }
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
