import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fail } from '../../model/failure.js';
import type { SourceRef } from '../../model/params.js';
import type { Made, Work } from '../work.js';
import { indexUnreachable, sdistAbsent, sha256Mismatch } from './errors.js';
import { FETCH_SDIST } from './fetch-sdist-script.js';
import type { Archives } from './ports.js';
import { unpackTree } from './unpack.js';

export type SdistRef = Extract<SourceRef, { kind: 'sdist' }>;
interface Answer {
  readonly file: string | null;
  readonly versions: readonly string[];
  readonly trouble: readonly string[];
}

/** Downloads the source archive of a version. Throws SHA256_MISMATCH if it is not the one of the release file. */
export async function fetchSdist(work: Work<'fetchSource'>, source: SdistRef, archives: Archives): Promise<Made> {
  const path = await download(work, source);
  const found = await sha256Of(path);
  const wanted = source.sha256.replace(/^sha256:/, '').toLowerCase();
  if (found !== wanted) throw fail(sha256Mismatch(basename(path), wanted, found));
  const epoch = await newestMember(work, archives, path);
  const artifact = await work.keep(path, 'sdist', { project: source.name, version: source.version });
  return {
    artifacts: [artifact],
    facts: { epoch, commit: null, version: source.version },
    note: `${artifact.name}, ${artifact.size} bytes`,
  };
}

async function download(work: Work<'fetchSource'>, { name, version }: SdistRef): Promise<string> {
  const folder = join(work.folder, 'download');
  await mkdir(folder);
  const output = await work.capture(['python', '-', name, version, folder], { stdin: FETCH_SDIST });
  const line = output.split('\n').find((text) => text.startsWith('slipway:'));
  // A crash of pip does not prove that the archive is absent.
  if (line === undefined) throw fail(indexUnreachable(name, ['pip ended without an answer']));
  const { file, versions, trouble } = JSON.parse(line.slice('slipway:'.length)) as Answer;
  if (file !== null) return join(folder, basename(file));
  if (trouble.length > 0) throw fail(indexUnreachable(name, trouble));
  throw fail(sdistAbsent(name, version, versions));
}

/** Returns the newest member's time, in seconds since 1970. It reads the whole archive, so that an unsafe one fails
 * here. */
async function newestMember(work: Work<'fetchSource'>, archives: Archives, path: string): Promise<number> {
  let newest = 0;
  await unpackTree(archives, path, join(work.folder, 'look'), {
    onMember: ({ mtime }) => (newest = Math.max(newest, mtime)),
  });
  return newest;
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
