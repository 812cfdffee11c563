import { rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Artifact } from '../../model/artifact.js';
import { buildNumberOf } from '../../model/python/file-name.js';
import { newFolder } from '../step/inside.js';
import type { Work } from '../work.js';

/** A built wheel and its copy in the step's folder. */
export interface Built {
  readonly artifact: Artifact;
  readonly path: string;
}

/** Returns the wheel under the name that an index can list. A build that gives the bytes of a listed wheel again is that wheel.
 * Other bytes get the next build number: a name never gets other bytes, and installers prefer the higher number. */
export async function againUnder(work: Work<'buildWheel'>, built: Built): Promise<Built> {
  const { again } = work.step.params;
  if (again === undefined || buildNumberOf(built.artifact.name) !== null) return built;
  const former = buildNumberOf(again.file);
  const same = former === null ? built : await numbered(work, built, former);
  if (same.artifact.digest === again.digest) return same;
  return numbered(work, built, again.build);
}

/** 1980-01-01, the first time that a zip file can hold. */
const FIRST_OF_ZIP = '315532800';

/** Writes the build number into name, WHEEL and RECORD. The same wheel and number give the same bytes. */
async function numbered(work: Work<'buildWheel'>, { artifact, path }: Built, build: number): Promise<Built> {
  const folder = newFolder(work, `build-${build}`);
  const copy = await work.fetch(artifact, folder);
  // RECORD gets this time. Without one it would be that of the build.
  const env = { SOURCE_DATE_EPOCH: FIRST_OF_ZIP, ...work.env() };
  const argv = ['wheel', 'tags', '--remove', '--build', String(build), copy];
  await work.must(argv, { cwd: folder, env, unconfined: true });
  const name = basename(path).replace(/^([^-]+-[^-]+)-/, `$1-${build}-`);
  const kept = await work.keep(join(folder, name), 'wheel', artifact.labels);
  await rename(join(folder, name), join(dirname(path), name));
  return { artifact: kept, path: join(dirname(path), name) };
}
