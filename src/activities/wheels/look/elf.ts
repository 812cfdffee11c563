import { type FileHandle, open } from 'node:fs/promises';

/** What of an ELF file (System V gABI, 32 and 64 bit, little-endian) matters to whoever installs it. */
export interface Elf {
  /** DT_RPATH and DT_RUNPATH. */
  readonly runPaths: readonly string[];
  readonly sections: readonly Section[];
}
export interface Section {
  readonly name: string;
  readonly offset: number;
  readonly size: number;
  readonly link: number;
}

const RPATH = 15;
const RUNPATH = 29;

/** Null where the file is no little-endian ELF file, or a broken one. */
export async function readElf(path: string): Promise<Elf | null> {
  const file = await open(path);
  try {
    const head = await bytes(file, 0, 64);
    if (head.readUInt32BE(0) !== 0x7f454c46 || head[5] !== 1) return null;
    const sections = await readSections(file, head);
    return { sections, runPaths: await readRunPaths(file, head[4] === 2, sections) };
  } catch (error) {
    if ((error as Error).name === 'RangeError') return null;
    throw error;
  } finally {
    await file.close();
  }
}

const wide = (head: Buffer): boolean => head[4] === 2;
const word = (from: Buffer, at: number, is64: boolean): number =>
  is64 ? Number(from.readBigUInt64LE(at)) : from.readUInt32LE(at);

async function readSections(file: FileHandle, head: Buffer): Promise<readonly Section[]> {
  const is64 = wide(head);
  const start = word(head, is64 ? 40 : 32, is64);
  const [size, count, names] = [0, 2, 4].map((step) => head.readUInt16LE((is64 ? 58 : 46) + step)) as [
    number,
    number,
    number,
  ];
  if (start === 0 || count === 0) return [];
  const table = await bytes(file, start, size * count);
  const rows = Array.from({ length: count }, (_, index) =>
    rowOf(table.subarray(index * size, (index + 1) * size), is64),
  );
  const texts = await bytes(file, rows[names]?.offset ?? 0, rows[names]?.size ?? 0);
  return rows.map((row) => ({ ...row, name: textAt(texts, row.nameAt) }));
}

const rowOf = (row: Buffer, is64: boolean) => ({
  nameAt: row.readUInt32LE(0),
  offset: row.readUInt32LE(4) === 8 ? 0 : word(row, is64 ? 24 : 16, is64), // type 8 takes no room in the file
  size: row.readUInt32LE(4) === 8 ? 0 : word(row, is64 ? 32 : 20, is64),
  link: row.readUInt32LE(is64 ? 40 : 24),
});

async function readRunPaths(file: FileHandle, is64: boolean, sections: readonly Section[]): Promise<readonly string[]> {
  const dynamic = sections.find(({ name }) => name === '.dynamic');
  const strings = dynamic && sections[dynamic.link];
  if (!dynamic || !strings) return [];
  const [table, texts] = [
    await bytes(file, dynamic.offset, dynamic.size),
    await bytes(file, strings.offset, strings.size),
  ];
  const step = is64 ? 16 : 8;
  const found: string[] = [];
  for (let at = 0; at + step <= table.length; at += step) {
    const tag = word(table, at, is64);
    if (tag === 0) break;
    if (tag === RPATH || tag === RUNPATH) found.push(textAt(texts, word(table, at + step / 2, is64)));
  }
  return found.filter((text) => text !== '');
}

const textAt = (from: Buffer, at: number): string => from.subarray(at, from.indexOf(0, at)).toString('utf8');

async function bytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { size } = await file.stat();
  if (position < 0 || position + length > size) return Buffer.alloc(0); // whoever reads from it meets a RangeError
  const buffer = Buffer.alloc(length);
  await file.read(buffer, 0, length, position);
  return buffer;
}
