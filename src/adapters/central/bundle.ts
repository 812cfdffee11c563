import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Item, Session } from '../../activities/publish/ports.js';
import { fail } from '../../model/failure.js';
import { packZip, type ZipMember } from '../archive/zip-pack.js';
import { ALGORITHMS, checksums } from '../maven-repository/checksums.js';
import { isSignature } from '../maven-repository/signatures.js';
import { centralTooLarge } from './errors.js';

export const MOST_BYTES = 2 ** 30;

/** Writes one zip in Maven layout: files with checksums, signatures without, no metadata. Returns its path. Throws
 * CENTRAL_TOO_LARGE. */
export async function makeBundle(target: string, session: Session, items: readonly Item[]): Promise<string> {
  const members: ZipMember[] = [];
  for (const [index, item] of items.entries()) {
    const path = await session.fetch(item.artifact, join(session.folder, 'bundle', String(index)));
    members.push({ name: item.name, from: { path } });
    if (isSignature(item.name)) continue;
    const sums = await checksums(path);
    for (const algorithm of ALGORITHMS)
      members.push({ name: `${item.name}.${algorithm}`, from: { text: sums[algorithm] } });
  }
  await mkdir(session.folder, { recursive: true });
  const bundle = join(session.folder, 'bundle.zip');
  await packZip(
    bundle,
    members.sort((a, b) => (a.name < b.name ? -1 : 1)),
    0,
  );
  const { size } = await stat(bundle);
  if (size > MOST_BYTES) throw fail(centralTooLarge(target, size, MOST_BYTES));
  return bundle;
}
