import { basename, dirname } from 'node:path';
import { judgePaths } from '../../../engine/checks/builder-paths.js';
import type { Finding } from '../../../model/finding.js';
import { readElf } from '../../natives/elf.js';
import { asSeen } from '../../wheels/look/needles.js';
import { placeHits, scanFile } from '../../wheels/look/scan.js';
import type { Work } from '../../work.js';

/** Finds the path of the build folder in a library: it does not exist on the users' machines. In a source file name or
 * debug information it is only a note. */
export async function builderPaths(work: Pick<Work, 'folder' | 'paths'>, path: string): Promise<readonly Finding[]> {
  const folder = { prefix: dirname(work.folder), name: '<build folder>' };
  const { hits, binary } = await scanFile(path, [folder, ...asSeen(work, folder)]);
  const elf = hits.length === 0 ? null : await readElf(path);
  const sections = elf === null || elf === 'broken' ? null : elf.sections;
  return judgePaths(placeHits(basename(path), hits, sections ?? (binary ? [] : null)));
}
