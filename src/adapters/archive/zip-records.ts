import type { ZipRow } from './zip-read.js';

export interface Stamp {
  readonly time: number;
  readonly date: number;
}

/** Zip knows 1980 to 2107 in steps of two seconds. */
export function dosStamp(epoch: number): Stamp {
  const at = new Date(Math.max(epoch, Date.UTC(1980, 0, 1) / 1000) * 1000);
  return {
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  };
}

/** Bit 3 says that sizes follow the data; here they stand in the header. */
const flagsOf = (row: ZipRow): number => row.flags & ~8;

export function localHeader(row: ZipRow, stamp: Stamp): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  common(header, 6, row, stamp);
  return Buffer.concat([header, row.rawName]);
}

export function directoryRow(row: ZipRow, stamp: Stamp, offset: number): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(row.madeBy, 4);
  header.writeUInt16LE(20, 6);
  common(header, 8, row, stamp);
  header.writeUInt32LE(row.externalAttributes, 38);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, row.rawName]);
}

/** The fields that both headers share, in the same order. */
function common(header: Buffer, at: number, row: ZipRow, stamp: Stamp): void {
  header.writeUInt16LE(flagsOf(row), at);
  header.writeUInt16LE(row.method, at + 2);
  header.writeUInt16LE(stamp.time, at + 4);
  header.writeUInt16LE(stamp.date, at + 6);
  header.writeUInt32LE(row.crc, at + 8);
  header.writeUInt32LE(row.packedSize, at + 12);
  header.writeUInt32LE(row.size, at + 16);
  header.writeUInt16LE(row.rawName.length, at + 20);
}

export function endRecord(count: number, directory: readonly Buffer[], offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(
    directory.reduce((sum, row) => sum + row.length, 0),
    12,
  );
  end.writeUInt32LE(offset, 16);
  return end;
}
