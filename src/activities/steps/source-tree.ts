import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { KindName } from '../../model/kinds.js';
import type { Archives } from '../source/ports.js';
import { sourceArtifactOf } from '../source/tree.js';
import { unpackTree } from '../source/unpack.js';
import type { Work } from '../work.js';

/** Unpacks the source tree among the inputs into `into`. Null if there is none. */
export async function sourceTree<K extends KindName>(
  work: Work<K>,
  archives: Archives,
  into: string,
): Promise<string | null> {
  const tree = sourceArtifactOf(work);
  if (tree === null) return null;
  mkdirSync(into, { recursive: true });
  await unpackTree(archives, await work.fetch(tree, join(work.folder, 'archives')), into);
  return into;
}
