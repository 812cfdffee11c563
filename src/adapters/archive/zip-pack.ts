import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { ZipRow } from './zip-read.js';
import { directoryRow, dosStamp, endRecord, localHeader } from './zip-records.js';

/** A member: a file as it is, or a short text. */
export interface ZipMember {
  readonly name: string;
  readonly from: { readonly path: string } | { readonly text: string };
}

const LOCAL_HEADER_BYTES = 30;
const UTF8_NAMES = 1 << 11;
const PLAIN_FILE = 0o100644 * 2 ** 16;

/** A zip of members that are packed already: stored, in the order given, all of one time. The same members, the same bytes.
 * @param epoch seconds, UTC */
export async function packZip(to: string, members: readonly ZipMember[], epoch: number): Promise<void> {
  const stamp = dosStamp(epoch);
  const file = await open(to, 'w');
  try {
    const directory: Buffer[] = [];
    let at = 0;
    for (const member of members) {
      const rawName = Buffer.from(member.name);
      const start = at + LOCAL_HEADER_BYTES + rawName.length;
      const { crc, size } = await copy(member, file, start);
      const row = rowOf(member.name, rawName, crc, size, at);
      await file.write(localHeader(row, stamp), 0, LOCAL_HEADER_BYTES + rawName.length, at);
      directory.push(directoryRow(row, stamp, at));
      at = start + size;
    }
    const rest = Buffer.concat([...directory, endRecord(members.length, directory, at)]);
    await file.write(rest, 0, rest.length, at);
  } finally {
    await file.close();
  }
}

async function copy({ from }: ZipMember, to: FileHandle, start: number): Promise<{ crc: number; size: number }> {
  let [crc, size] = [0, 0];
  const pieces = 'text' in from ? [Buffer.from(from.text)] : (createReadStream(from.path) as AsyncIterable<Buffer>);
  for await (const piece of pieces) {
    crc = crc32(piece, crc);
    await to.write(piece, 0, piece.length, start + size);
    size += piece.length;
  }
  return { crc, size };
}

const rowOf = (name: string, rawName: Buffer, crc: number, size: number, offset: number): ZipRow => ({
  ...{ name, rawName, crc, size, offset, packedSize: size },
  ...{ flags: UTF8_NAMES, method: 0, madeBy: (3 << 8) | 20, externalAttributes: PLAIN_FILE, dosTime: 0, dosDate: 0 },
});
