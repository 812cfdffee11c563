import { mkdirSync, readdirSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Artifact, ArtifactKind } from '../../model/artifact.js';
import type { KindName } from '../../model/kinds.js';
import type { Work } from '../work.js';

const FOLDERS: Partial<Record<ArtifactKind, string>> = {
  lock: 'deps',
  wheel: 'wheels',
  jar: 'jars',
  sdist: 'sdists',
  file: 'inputs',
};

/** Lays inputs and bundle files out under `folder`: `deps/ wheels/ jars/ sdists/ inputs/ files/`.
 * @param options.emptyToo makes empty folders too, since COPY fails on a missing one */
export async function layOut<K extends KindName>(
  work: Work<K>,
  folder: string,
  { emptyToo = true }: { readonly emptyToo?: boolean } = {},
): Promise<void> {
  const made = emptyToo ? [...Object.values(FOLDERS), 'files'] : [];
  for (const name of made) mkdirSync(join(folder, name), { recursive: true });
  const artifacts = work.inputs.flatMap((result) => result.artifacts);
  for (const artifact of distinct(artifacts)) {
    const under = FOLDERS[artifact.kind];
    if (under === undefined) continue;
    mkdirSync(join(folder, under), { recursive: true });
    await work.fetch(artifact, join(folder, under));
  }
  // Most steps have no files, and `cp` makes many system calls before it copies nothing.
  if (readdirSync(work.files).length > 0)
    await cp(work.files, join(folder, 'files'), { recursive: true, verbatimSymlinks: true });
}

/** Drops duplicates: two edges can bring the same artifact. */
const distinct = (artifacts: readonly Artifact[]): readonly Artifact[] => [
  ...new Map(artifacts.map((artifact) => [`${artifact.kind} ${artifact.name} ${artifact.digest}`, artifact])).values(),
];
