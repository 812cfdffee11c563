import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { assertInside, writeInside } from '../../../activities/step/inside.js';
import type { Work } from '../../../activities/work.js';
import type { Artifact } from '../../../model/artifact.js';
import type { Digest } from '../../../model/digest.js';

type Build = Work<'buildSpec'>;

const FILE = 'closure.json';

/** Files of a spec and of all that it links or runs with, for those that need it. */
const Closure = z.strictObject({
  hash: z.string(),
  /** Digests by path in a build cache. */
  files: z.record(z.string().regex(/^(blobs|v3)(\/[\w+=~-][\w.+=~-]*)+$/), z.string().regex(/^sha256:[0-9a-f]{64}$/)),
});
type Closures = readonly z.infer<typeof Closure>[];

/** Reads the closures of the direct dependencies. */
export async function readClosures(work: Build): Promise<Closures> {
  const folder = join(work.folder, 'closures');
  const found: Closures[number][] = [];
  for (const [at, artifact] of work.artifacts('file', { closure: 'spec' }).entries())
    found.push(Closure.parse(JSON.parse(readFileSync(await work.fetch(artifact, folder, String(at)), 'utf8'))));
  return found;
}

/** Copies the files of closures into a build cache, which is a new folder. */
export async function fillCache(work: Build, closures: Closures, cache: string): Promise<void> {
  const files = new Map(closures.flatMap((one) => Object.entries(one.files)));
  mkdirSync(join(cache, 'v3'), { recursive: true });
  writeInside(work, join(cache, 'v3', 'layout.json'), '{"signing": "gpg"}');
  for (const [path, digest] of files) {
    const file = join(cache, path);
    assertInside(work, file);
    mkdirSync(dirname(file), { recursive: true });
    await work.store.fetch(digest as Digest, file);
  }
}

/** Stores the closure of the spec that was built.
 * @param links hashes of those that it links or runs with */
export async function keepClosure(
  work: Build,
  made: readonly Artifact[],
  closures: Closures,
  links: readonly string[],
) {
  const below = closures.filter(({ hash }) => links.includes(hash)).flatMap(({ files }) => Object.entries(files));
  const own = made.map(({ labels, digest }) => [labels['path']!, digest] as const);
  const files = Object.fromEntries([...below, ...own].sort(([a], [b]) => (a < b ? -1 : 1)));
  const path = join(work.folder, FILE);
  writeInside(work, path, JSON.stringify({ hash: work.step.params.hash, files } satisfies Closures[number]));
  return work.keep(path, 'file', { closure: 'spec' });
}
