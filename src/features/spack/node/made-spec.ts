import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { assertInside, readInside } from '../../../activities/step/inside.js';
import type { Work } from '../../../activities/work.js';
import type { Artifact } from '../../../model/artifact.js';
import { hexOf } from '../../../model/digest.js';
import { fail } from '../../../model/failure.js';
import { jsonIn } from '../../../model/json.js';
import { specAbsent } from './errors.js';

type Build = Work<'buildSpec'>;

/** A manifest of layout 3: https://spack.readthedocs.io/en/latest/binary_caches.html */
const Manifest = z.looseObject({
  version: z.literal(3),
  data: z
    .array(z.looseObject({ checksumAlgorithm: z.literal('sha256'), checksum: z.string().regex(/^[0-9a-f]{64}$/) }))
    .min(1)
    .max(16),
});
const LONGEST_MANIFEST = 65_536;

/** Stores what Spack put into an empty build cache: the manifest of the spec and the files that it names. Each has its path in the
 * cache as the label `path`. Anything else in the cache is a failure. */
export async function keepSpec(work: Build, cache: string): Promise<readonly Artifact[]> {
  const { name, version, hash } = work.step.params;
  const spec = `${name}@${version} /${hash}`;
  const manifests = join('v3', 'manifests', 'spec');
  const path = join(manifests, name, `${name}-${version}-${hash}.spec.manifest.json`);
  assertInside(work, join(cache, manifests));
  const others = filesBelow(join(cache, manifests)).filter((one) => join(manifests, one) !== path);
  if (others.length > 0) throw fail(specAbsent(spec, `it pushed other specs, ${others.slice(0, 3).join(', ')}`));
  if (!existsSync(join(cache, path))) throw fail(specAbsent(spec, 'there is no manifest of it'));
  const { data, error } = Manifest.safeParse(jsonIn(readInside(work, join(cache, path), LONGEST_MANIFEST)));
  if (data === undefined) throw fail(specAbsent(spec, `its manifest is wrong (${error.issues[0]!.message})`));
  const kept = [await work.keep(join(cache, path), 'file', { path })];
  for (const { checksum } of data.data) {
    const blob = join('blobs', 'sha256', checksum.slice(0, 2), checksum);
    if (!existsSync(join(cache, blob))) throw fail(specAbsent(spec, `it lacks the file ${checksum}`));
    const artifact = await work.keep(join(cache, blob), 'file', { path: blob });
    if (hexOf(artifact.digest) !== checksum) throw fail(specAbsent(spec, `the file ${checksum} has another digest`));
    kept.push(artifact);
  }
  return kept;
}

const filesBelow = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    : [];
