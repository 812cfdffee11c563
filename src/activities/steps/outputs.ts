import { basename, join, relative } from 'node:path';
import type { Artifact, ArtifactKind } from '../../model/artifact.js';
import type { KindName } from '../../model/kinds.js';
import { filesUnder } from '../files-under.js';
import type { Work } from '../work.js';
import { assertInside } from '../step/inside.js';
import { compileGlob } from '../../model/schema/path-glob.js';

/** Returns files under `folder` that match a pattern, as sorted relative paths. Links are ignored. Throws
 * LINK_LEADS_OUT if the folder is outside the step's own. */
export async function findFiles(
  work: Pick<Work, 'folder'>,
  folder: string,
  globs: readonly string[],
): Promise<readonly string[]> {
  if (globs.length === 0) return [];
  assertInside(work, folder);
  const patterns = globs.map(compileGlob);
  const all = (await filesUnder(folder)).map((path) => relative(folder, path));
  return all.filter((path) => patterns.some((pattern) => pattern.test(path)));
}

/** Returns the folder of a pattern, and the pattern inside it: `{out}/…` is in the out folder, all else in the working
 * folder. */
export const rootOf = (glob: string, out: string, cwd: string): readonly [root: string, glob: string] =>
  glob.startsWith('{out}/') ? [out, glob.slice('{out}/'.length)] : [cwd, glob];

/** Returns the paths of what a build made. */
export async function outputsIn(
  work: Pick<Work, 'folder'>,
  out: string,
  cwd: string,
  globs: readonly string[],
): Promise<readonly string[]> {
  const paths = new Set<string>();
  for (const [root, glob] of globs.map((one) => rootOf(one, out, cwd)))
    for (const path of await findFiles(work, root, [glob])) paths.add(join(root, path));
  return [...paths];
}

/** Puts files into the store. Files of the same name in different folders get their folders in their names. */
export async function keepFiles<K extends KindName>(
  work: Work<K>,
  folder: string,
  paths: readonly string[],
  kind: ArtifactKind = 'file',
): Promise<readonly Artifact[]> {
  const kept: Artifact[] = [];
  for (const path of paths) {
    const alone = paths.filter((other) => basename(other) === basename(path)).length === 1;
    const name = alone ? basename(path) : path.replaceAll('/', '-');
    kept.push(await work.keep(join(folder, path), kind, work.step.axes, name));
  }
  return kept;
}
