import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import type { Result } from '../../../src/model/result.js';
import { newHome } from '../../support/run-body.js';

/** Bytes of the blobs of a spec, without compression. */
export async function blobsOf(home: string, { artifacts }: Result): Promise<readonly Buffer[]> {
  const store = createDirectoryStore(join(home, 'store'));
  const folder = await newHome();
  const blobs = artifacts.filter(({ labels }) => labels['path']?.startsWith('blobs/'));
  await Promise.all(blobs.map(({ digest }, at) => store.fetch(digest, join(folder, String(at)))));
  return blobs.map((_, at) => gunzipSync(readFileSync(join(folder, String(at)))));
}

/** What a spec's blobs hold: a line for each file of an archive, else a digest. Spack's notes of a build, below `.spack`, have times and
 * durations, so they and the archive's own digest differ from build to build. */
export async function contentsOf(home: string, made: Result): Promise<readonly string[]> {
  const all = await Promise.all(
    (await blobsOf(home, made)).map(async (bytes) => (isTar(bytes) ? membersOf(bytes) : [sumOf(bytes)])),
  );
  return all.flat().sort();
}

const sumOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const isTar = (bytes: Buffer): boolean => bytes.subarray(257, 262).toString() === 'ustar';

async function membersOf(bytes: Buffer): Promise<readonly string[]> {
  const lines: string[] = [];
  const archive = extract();
  archive.end(bytes);
  for await (const member of archive) {
    const parts: Buffer[] = [];
    for await (const part of member) parts.push(part as Buffer);
    const { name, type, linkname } = member.header;
    if (!name.includes('/.spack/')) lines.push(`${name} ${type} ${linkname ?? sumOf(Buffer.concat(parts))}`);
  }
  return lines;
}
