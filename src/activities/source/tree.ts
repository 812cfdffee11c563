import { existsSync, mkdirSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../model/failure.js';
import { mainSourceStep, ownSourcesOf } from '../../model/sources.js';
import type { KindName } from '../../model/kinds.js';
import type { Artifact, ArtifactKind } from '../../model/artifact.js';
import type { Work } from '../work.js';
import { folderOutside, notBuildable, overlayAbsent, sourceMissing } from './errors.js';
import type { Archives } from './ports.js';
import { unpackTree } from './unpack.js';

/** Kinds of artifacts that hold a source tree; the most prepared one comes first. */
const TREES: readonly ArtifactKind[] = ['tree', 'source', 'sdist'];

/** Returns the artifact to build from: a prepared tree, else what the step's own source is or was made to. Null without
 * a source. Further sources among its needs are not what it is built from. */
export function sourceArtifactOf({ plan, step, inputs }: Pick<Work, 'plan' | 'step' | 'inputs'>): Artifact | null {
  const others = new Set(ownSourcesOf(plan).map((one) => one.step));
  if (step.source !== undefined) others.add(mainSourceStep(plan));
  others.delete(step.source ?? '');
  const own = inputs.filter((result) => !others.has(result.step)).flatMap(({ artifacts }) => artifacts);
  return TREES.flatMap((kind) => own.filter((artifact) => artifact.kind === kind))[0] ?? null;
}

/** Returns the artifact to build from. Throws SOURCE_MISSING. */
export function sourceArtifact(work: Pick<Work, 'plan' | 'step' | 'inputs'>): Artifact {
  const found = sourceArtifactOf(work);
  if (found === null) throw fail(sourceMissing(work.step.id));
  return found;
}

/** Unpacks the step's source into `work.folder/name`. Returns that path. */
export async function layTree<K extends KindName>(work: Work<K>, archives: Archives, name: string): Promise<string> {
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

/** Returns the working folder of a build backend. Throws FOLDER_ABSENT, and NO_BUILD_SYSTEM if the folder is no project. */
export function projectFolder(work: Work<'buildWheel'> | Work<'buildSdist'>, tree: string): string {
  const { folder, builder } = work.step.params;
  const at = workingFolder(tree, folder);
  if (builder !== 'command' && !['pyproject.toml', 'setup.py', 'setup.cfg'].some((name) => existsSync(join(at, name))))
    throw fail(notBuildable(sourceArtifact(work).name, folder));
  return at;
}

/** Returns the working folder of a command. Throws FOLDER_ABSENT unless it exists inside the tree. */
export function workingFolder(tree: string, folder: string): string {
  const at = join(tree, folder);
  if (!(at === tree || at.startsWith(`${tree}/`)) || !existsSync(at)) throw fail(folderOutside(folder));
  return at;
}

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
