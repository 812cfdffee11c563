import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dataOffset, zipRows } from './zip-read.js';
import { directoryRow, dosStamp, endRecord, localHeader, type Stamp } from './zip-records.js';

/** Rewrites a zip file so that the same members give the same bytes: sorted with META-INF and its manifest first
 * (`java -jar` and JAR readers look there), all times `epoch` (seconds, UTC), no extra fields, packed bytes as they are. */
export async function normaliseZip(path: string, epoch: number): Promise<void> {
  const fresh = `${path}.normalised`;
  const [from, to] = [await open(path), await open(fresh, 'w')];
  try {
    await rewrite(path, from, to, dosStamp(epoch));
    await rename(fresh, path);
  } finally {
    await Promise.all([from.close(), to.close(), rm(fresh, { force: true })]);
  }
}

async function rewrite(path: string, from: FileHandle, to: FileHandle, stamp: Stamp): Promise<void> {
  const rows = (await zipRows(from)).sort((a, b) => compare(rankOf(a.name), rankOf(b.name)));
  const directory: Buffer[] = [];
  let at = 0;
  for (const row of rows) {
    directory.push(directoryRow(row, stamp, at));
    const header = localHeader(row, stamp);
    await to.write(header, 0, header.length, at);
    at += header.length;
    at += await copy(path, await dataOffset(from, row), row.packedSize, to, at);
  }
  const rest = Buffer.concat([...directory, endRecord(rows.length, directory, at)]);
  await to.write(rest, 0, rest.length, at);
}

async function copy(path: string, start: number, length: number, to: FileHandle, at: number): Promise<number> {
  if (length === 0) return 0;
  let position = at;
  for await (const chunk of createReadStream(path, { start, end: start + length - 1 }) as AsyncIterable<Buffer>) {
    await to.write(chunk, 0, chunk.length, position);
    position += chunk.length;
  }
  return length;
}

const rankOf = (name: string): string =>
  `${name === 'META-INF/' ? 0 : name === 'META-INF/MANIFEST.MF' ? 1 : name.startsWith('META-INF/') ? 2 : 3}${name}`;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
