import { existsSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../model/failure.js';
import type { Artifact } from '../../model/artifact.js';
import type { Work } from '../work.js';
import { folderOutside, overlayAbsent, sourceMissing } from './errors.js';
import type { Archives } from './ports.js';
import { unpackTree } from './unpack.js';

/** Returns the artifact to build from: a prepared tree, else the source. Throws SOURCE_MISSING. */
export function sourceArtifact(work: Work): Artifact {
  const [first] = [...work.artifacts('tree'), ...work.artifacts('source'), ...work.artifacts('sdist')];
  if (!first) throw fail(sourceMissing(work.step.id));
  return first;
}

/** Unpacks the step's source into `work.folder/name`. Returns that path. */
export async function layTree(work: Work, archives: Archives, name: string): Promise<string> {
  const tree = join(work.folder, name);
  const archive = await work.fetch(sourceArtifact(work), join(work.folder, 'fetched'));
  await mkdir(tree, { recursive: true });
  await unpackTree(archives, archive, tree);
  return tree;
}

/** Copies the bundle's overlay over a source tree; its files win. Throws OVERLAY_ABSENT. */
export async function layOverlay(work: Work, overlay: string | null, tree: string): Promise<void> {
  if (overlay === null) return;
  const from = join(work.files, overlay);
  if (!existsSync(from)) throw fail(overlayAbsent(overlay));
  await cp(from, tree, { recursive: true, force: true });
}

/** Returns the working folder of a command. Throws FOLDER_ABSENT unless it exists inside the tree. */
export function workingFolder(tree: string, folder: string): string {
  const at = join(tree, folder);
  if (!(at === tree || at.startsWith(`${tree}/`)) || !existsSync(at)) throw fail(folderOutside(folder));
  return at;
}
