import { type FileHandle, open } from 'node:fs/promises';
import { bytesOf, textAt, word } from './bytes.js';
import { readDynamic, type Dynamic } from './elf-dynamic.js';

/** The parts of an ELF file that matter for installing it. Source: System V gABI, 32 and 64 bit, little-endian. */
export interface Elf extends Dynamic {
  readonly arch: string;
  readonly sections: readonly Section[];
}
export interface Section {
  readonly name: string;
  readonly offset: number;
  readonly size: number;
}

/** Names of e_machine as `uname -m` prints them. */
const MACHINES: Readonly<Record<number, string>> = {
  3: 'i686',
  20: 'ppc',
  21: 'ppc64le',
  22: 's390x',
  40: 'armv7l',
  62: 'x86_64',
  183: 'aarch64',
  243: 'riscv64',
  258: 'loongarch64',
};

/** Returns the machine of a big-endian ELF file. Null for any other file. */
export async function bigEndianElf(path: string): Promise<string | null> {
  await using file = await open(path);
  const head = await bytesOf(file, 0, 20);
  if (head.length < 20 || head.readUInt32BE(0) !== 0x7f454c46 || head[5] !== 2) return null;
  const machine = head.readUInt16BE(18);
  return MACHINES[machine] ?? `machine ${machine}`;
}

/** Null if the file is no little-endian ELF file; `broken` if it is truncated. */
export async function readElf(path: string): Promise<Elf | 'broken' | null> {
  await using file = await open(path);
  try {
    const head = await bytesOf(file, 0, 64);
    if (head.length < 64 || head.readUInt32BE(0) !== 0x7f454c46 || head[5] !== 1) return null;
    const machine = head.readUInt16LE(18);
    return {
      arch: MACHINES[machine] ?? `machine ${machine}`,
      sections: await readSections(file, head),
      ...(await readDynamic(file, head)),
    };
  } catch (error) {
    if ((error as Error).name === 'RangeError') return 'broken';
    throw error;
  }
}

async function readSections(file: FileHandle, head: Buffer): Promise<readonly Section[]> {
  const is64 = head[4] === 2;
  const start = word(head, is64 ? 40 : 32, is64);
  const [size, count, names] = [0, 2, 4].map((step) => head.readUInt16LE((is64 ? 58 : 46) + step)) as [
    number,
    number,
    number,
  ];
  if (start === 0 || count === 0) return [];
  const table = await bytesOf(file, start, size * count);
  const rows = Array.from({ length: count }, (_, index) =>
    rowOf(table.subarray(index * size, (index + 1) * size), is64),
  );
  const texts = await bytesOf(file, rows[names]?.offset ?? 0, rows[names]?.size ?? 0);
  return rows.map(({ nameAt, ...row }) => ({ ...row, name: textAt(texts, nameAt) }));
}

const rowOf = (row: Buffer, is64: boolean) => ({
  nameAt: row.readUInt32LE(0),
  offset: row.readUInt32LE(4) === 8 ? 0 : word(row, is64 ? 24 : 16, is64), // SHT_NOBITS takes no room in the file
  size: row.readUInt32LE(4) === 8 ? 0 : word(row, is64 ? 32 : 20, is64),
});
