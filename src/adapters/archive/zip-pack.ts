import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type ZipPart, writeZip } from './zip-write.js';

export interface ZipMember {
  readonly name: string;
  readonly from: { readonly path: string } | { readonly text: string };
}

const UTF8_NAMES = 1 << 11;
const PLAIN_FILE = 0o100644 * 2 ** 16;

/** Writes a zip with stored members, in the order given.
 * @param epoch modification time of all members, seconds, UTC */
export async function packZip(to: string, members: readonly ZipMember[], epoch: number): Promise<void> {
  const parts: ZipPart[] = [];
  for (const member of members) parts.push(await partOf(member));
  await writeZip(to, parts, epoch);
}

async function partOf({ name, from }: ZipMember): Promise<ZipPart> {
  const text = 'text' in from ? Buffer.from(from.text) : null;
  const size = 'path' in from ? (await stat(from.path)).size : text!.length;
  return {
    header: {
      ...{ rawName: Buffer.from(name), crc: null, size, packedSize: size },
      ...{ flags: UTF8_NAMES, method: 0, madeBy: (3 << 8) | 20, externalAttributes: PLAIN_FILE },
    },
    bytes: () => ('path' in from ? createReadStream(from.path) : chunks(text!)),
  };
}

async function* chunks(text: Buffer): AsyncGenerator<Buffer> {
  yield text;
}
