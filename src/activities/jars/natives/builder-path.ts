import { basename, dirname } from 'node:path';
import type { Problem } from '../../../model/failure.js';
import { readElf } from '../../natives/elf.js';
import { placeHits, scanFile } from '../../wheels/look/scan.js';
import type { Work } from '../../work.js';
import { namesBuilder } from './errors.js';

/** A library that names the folder it was built in: no user has it, and another folder gives other bytes. What stands in
 * debug information alone is harmless. */
export async function builderPath(work: Pick<Work, 'folder' | 'step'>, path: string): Promise<readonly Problem[]> {
  const { hits } = await scanFile(path, [{ prefix: dirname(work.folder), name: '<build folder>' }]);
  const elf = hits.length === 0 ? null : await readElf(path);
  const sections = elf === null || elf === 'broken' ? null : elf.sections;
  const [first] = placeHits(basename(path), hits, sections).filter((hit) => hit.in !== 'debug');
  return first === undefined ? [] : [namesBuilder(work.step.id, basename(path), first.path)];
}
