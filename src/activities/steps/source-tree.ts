import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ArtifactKind } from '../../model/artifact.js';
import type { KindName } from '../../model/kinds.js';
import type { Archives } from '../source/ports.js';
import { unpackTree } from '../source/unpack.js';
import type { Work } from '../work.js';

/** Kinds of artifacts that hold a source tree; the most prepared one comes first. */
const TREES: readonly ArtifactKind[] = ['tree', 'source', 'sdist'];

/** Unpacks the source tree among the inputs into `into`. Null if there is none. */
export async function sourceTree<K extends KindName>(
  work: Work<K>,
  archives: Archives,
  into: string,
): Promise<string | null> {
  const tree = TREES.map((kind) => work.artifacts(kind)[0]).find((artifact) => artifact !== undefined);
  if (tree === undefined) return null;
  mkdirSync(into, { recursive: true });
  await unpackTree(archives, await work.fetch(tree, join(work.folder, 'archives')), into);
  return into;
}
