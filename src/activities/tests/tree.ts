import { lstatSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../model/failure.js';
import { newFolder } from '../step/inside.js';
import type { Archives } from '../source/ports.js';
import { layTree } from '../source/tree.js';
import type { Work } from '../work.js';
import { testTreeAbsent } from './errors.js';

/** Makes the working folder of a test from paths of the source, and of nothing else: a package in the source would be
 * tested in place of the product. No link of the source leads out of it. Throws TEST_TREE_ABSENT. */
export async function layTestTree(
  work: Work<'runTest'>,
  archives: Archives,
  paths: readonly string[],
): Promise<string> {
  const source = await layTree(work, archives, 'source');
  const seen = (path: string) => lstatSync(join(source, path), { throwIfNoEntry: false });
  const absent = paths.filter((path) => seen(path)?.isSymbolicLink() ?? true);
  if (absent.length > 0) throw fail(testTreeAbsent(work.step.id, absent));
  if (paths.includes('.')) return source;
  const tree = newFolder(work, 'tree');
  for (const path of paths) await cp(join(source, path), join(tree, path), { recursive: true, verbatimSymlinks: true });
  return tree;
}
