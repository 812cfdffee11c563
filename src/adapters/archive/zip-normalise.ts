import { rename, rm } from 'node:fs/promises';
import type { Entry as Row, ZipFile } from 'yauzl';
import { refuse } from './refuse.js';
import { nameOf, packedBytes, rowsOf, withZip } from './zip-read.js';
import { type ZipPart, writeZip } from './zip-write.js';

/** Rewrites a zip file reproducibly. META-INF and its manifest come first, because `java -jar` expects them there;
 * other members are sorted. All times are `epoch`; extra fields go; compressed bytes stay.
 * @param epoch seconds, UTC */
export async function normaliseZip(path: string, epoch: number): Promise<void> {
  const fresh = `${path}.normalised`;
  try {
    // A build may have left a link under this name.
    await rm(fresh, { force: true, recursive: true });
    await withZip(path, async (zip) => writeZip(fresh, await sortedParts(zip), epoch));
    await rename(fresh, path);
  } catch (error) {
    refuse(path, error);
  } finally {
    await rm(fresh, { force: true });
  }
}

async function sortedParts(zip: ZipFile): Promise<ZipPart[]> {
  const rows: { readonly row: Row; readonly rank: string }[] = [];
  for await (const row of rowsOf(zip)) rows.push({ row, rank: rankOf(nameOf(row)) });
  return rows.sort((a, b) => compare(a.rank, b.rank)).map(({ row }) => partOf(zip, row));
}

const partOf = (zip: ZipFile, row: Row): ZipPart => ({
  header: {
    rawName: row.fileNameRaw,
    flags: row.generalPurposeBitFlag,
    method: row.compressionMethod,
    crc: row.crc32,
    packedSize: row.compressedSize,
    size: row.uncompressedSize,
    madeBy: row.versionMadeBy,
    externalAttributes: row.externalFileAttributes,
  },
  bytes: () => packedBytes(zip, row),
});

const rankOf = (name: string): string =>
  `${name === 'META-INF/' ? 0 : name === 'META-INF/MANIFEST.MF' ? 1 : name.startsWith('META-INF/') ? 2 : 3}${name}`;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
