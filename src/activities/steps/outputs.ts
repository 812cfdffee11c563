import { readdir } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { Artifact, ArtifactKind } from '../../model/artifact.js';
import type { KindName } from '../../model/kinds.js';
import type { Work } from '../work.js';
import { assertInside } from '../step/inside.js';
import { compileGlob } from './glob.js';

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
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  return all
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => patterns.some((pattern) => pattern.test(path)))
    .sort();
}

/** Returns the paths of what a build made: `{out}/…` is relative to the out folder, all else to the working folder. */
export async function outputsIn(
  work: Pick<Work, 'folder'>,
  out: string,
  cwd: string,
  globs: readonly string[],
): Promise<readonly string[]> {
  const inside = globs.filter((glob) => glob.startsWith('{out}/')).map((glob) => glob.slice('{out}/'.length));
  const beside = globs.filter((glob) => !glob.startsWith('{out}/'));
  return [
    ...(await findFiles(work, out, inside)).map((path) => join(out, path)),
    ...(await findFiles(work, cwd, beside)).map((path) => join(cwd, path)),
  ];
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
