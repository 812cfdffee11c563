/** Fields of both headers of a member (APPNOTE.TXT 4.3.7, 4.3.12). */
export interface ZipHeader {
  readonly rawName: Buffer;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  readonly madeBy: number;
  readonly externalAttributes: number;
}

export interface Stamp {
  readonly time: number;
  readonly date: number;
}

/** DOS time: 1980 to 2107 in steps of two seconds.
 * @param epoch seconds, UTC */
export function dosStamp(epoch: number): Stamp {
  const at = new Date(Math.max(epoch, Date.UTC(1980, 0, 1) / 1000) * 1000);
  return {
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  };
}

/** A full 32-bit or 16-bit field refers to the zip64 record (APPNOTE.TXT 4.4.1.4). */
const [FULL_32, FULL_16] = [0xffffffff, 0xffff];
const [PLAIN, ZIP64] = [20, 45];

const capped = (value: number, full: number): number => Math.min(value, full);
const isLarge = ({ size, packedSize }: ZipHeader): boolean => size >= FULL_32 || packedSize >= FULL_32;

function zip64Extra(member: ZipHeader, offset = 0): Buffer {
  const values = [...(isLarge(member) ? [member.size, member.packedSize] : []), ...(offset >= FULL_32 ? [offset] : [])];
  if (values.length === 0) return Buffer.alloc(0);
  const extra = Buffer.alloc(4 + 8 * values.length);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8 * values.length, 2);
  values.forEach((value, at) => extra.writeBigUInt64LE(BigInt(value), 4 + 8 * at));
  return extra;
}

export function localHeader(member: ZipHeader, stamp: Stamp): Buffer {
  const [header, extra] = [Buffer.alloc(30), zip64Extra(member)];
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(extra.length > 0 ? ZIP64 : PLAIN, 4);
  common(header, 6, member, stamp);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, member.rawName, extra]);
}

export function directoryRow(member: ZipHeader, stamp: Stamp, offset: number): Buffer {
  const [header, extra] = [Buffer.alloc(46), zip64Extra(member, offset)];
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(member.madeBy, 4);
  header.writeUInt16LE(extra.length > 0 ? ZIP64 : PLAIN, 6);
  common(header, 8, member, stamp);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(member.externalAttributes, 38);
  header.writeUInt32LE(capped(offset, FULL_32), 42);
  return Buffer.concat([header, member.rawName, extra]);
}

/** Bit 3 means that sizes follow the data; this writer puts them into the header. */
const flagsOf = ({ flags }: ZipHeader): number => flags & ~8;

function common(header: Buffer, at: number, member: ZipHeader, stamp: Stamp): void {
  header.writeUInt16LE(flagsOf(member), at);
  header.writeUInt16LE(member.method, at + 2);
  header.writeUInt16LE(stamp.time, at + 4);
  header.writeUInt16LE(stamp.date, at + 6);
  header.writeUInt32LE(member.crc, at + 8);
  header.writeUInt32LE(isLarge(member) ? FULL_32 : member.packedSize, at + 12);
  header.writeUInt32LE(isLarge(member) ? FULL_32 : member.size, at + 16);
  header.writeUInt16LE(member.rawName.length, at + 20);
}

/** The end record. Above 65,534 members or 4 GiB a zip64 record and locator precede it.
 * @param offset of the central directory */
export function endRecord(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(capped(count, FULL_16), 8);
  end.writeUInt16LE(capped(count, FULL_16), 10);
  end.writeUInt32LE(capped(size, FULL_32), 12);
  end.writeUInt32LE(capped(offset, FULL_32), 16);
  const isZip64 = count >= FULL_16 || size >= FULL_32 || offset >= FULL_32;
  return isZip64 ? Buffer.concat([zip64End(count, size, offset), end]) : end;
}

function zip64End(count: number, size: number, offset: number): Buffer {
  const record = Buffer.alloc(56 + 20);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(ZIP64, 12);
  record.writeUInt16LE(ZIP64, 14);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  record.writeUInt32LE(0x07064b50, 56);
  record.writeBigUInt64LE(BigInt(offset + size), 64);
  record.writeUInt32LE(1, 72);
  return record;
}
