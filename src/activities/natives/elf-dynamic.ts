import type { FileHandle } from 'node:fs/promises';
import { bytesOf, textAt, word } from './bytes.js';

/** The dynamic section of an ELF file, found through program headers as the loader does. `strip` keeps them. */
export interface Dynamic {
  /** DT_RPATH and DT_RUNPATH. */
  readonly runPaths: readonly string[];
  /** DT_NEEDED. */
  readonly needed: readonly string[];
  /** Symbol versions that it requires: `GLIBC_2.17`. */
  readonly versions: readonly string[];
}

const PT = { load: 1, dynamic: 2 } as const;
const DT = {
  needed: 1,
  strings: 5,
  stringsSize: 10,
  rpath: 15,
  runPath: 29,
  verneed: 0x6ffffffe,
  verneedCount: 0x6fffffff,
};
/** Bounds the loop over a malformed file; no real file has so many. */
const MOST_VERSIONS = 10_000;

interface Segment {
  readonly type: number;
  readonly offset: number;
  readonly address: number;
  readonly size: number;
}

export async function readDynamic(file: FileHandle, head: Buffer): Promise<Dynamic> {
  const is64 = head[4] === 2;
  const segments = await readSegments(file, head, is64);
  const dynamic = segments.find(({ type }) => type === PT.dynamic);
  if (dynamic === undefined) return { runPaths: [], needed: [], versions: [] };
  const entries = entriesOf(await bytesOf(file, dynamic.offset, dynamic.size), is64);
  const value = (tag: number): number => entries.find((entry) => entry.tag === tag)?.value ?? 0;
  const strings = await bytesOf(file, offsetOf(value(DT.strings), segments), value(DT.stringsSize));
  const texts = (...tags: number[]): readonly string[] =>
    entries.filter(({ tag }) => tags.includes(tag)).map((entry) => textAt(strings, entry.value));
  const verneed = value(DT.verneed);
  return {
    runPaths: texts(DT.rpath, DT.runPath).filter((text) => text !== ''),
    needed: texts(DT.needed),
    versions:
      verneed === 0 ? [] : await readVersions(file, offsetOf(verneed, segments), value(DT.verneedCount), strings),
  };
}

async function readSegments(file: FileHandle, head: Buffer, is64: boolean): Promise<readonly Segment[]> {
  const start = word(head, is64 ? 32 : 28, is64);
  const [size, count] = [head.readUInt16LE(is64 ? 54 : 42), head.readUInt16LE(is64 ? 56 : 44)];
  if (start === 0 || count === 0) return [];
  const table = await bytesOf(file, start, size * count);
  return Array.from({ length: count }, (_, index) => {
    const row = table.subarray(index * size, (index + 1) * size);
    const at = (wide: number, narrow: number): number => word(row, is64 ? wide : narrow, is64);
    return { type: row.readUInt32LE(0), offset: at(8, 4), address: at(16, 8), size: at(32, 16) };
  });
}

function entriesOf(table: Buffer, is64: boolean): readonly { readonly tag: number; readonly value: number }[] {
  const step = is64 ? 16 : 8;
  const entries = [];
  for (let at = 0; at + step <= table.length; at += step) {
    const tag = word(table, at, is64);
    if (tag === 0) break;
    entries.push({ tag, value: word(table, at + step / 2, is64) });
  }
  return entries;
}

/** Returns the file offset of a virtual address, or -1. */
function offsetOf(address: number, segments: readonly Segment[]): number {
  const home = segments.find(
    (one) => one.type === PT.load && address >= one.address && address < one.address + one.size,
  );
  return home === undefined ? -1 : address - home.address + home.offset;
}

/** Follows the chain of Elf_Verneed, one a library, and its Elf_Vernaux. Both have the same layout in 32 and 64 bit. */
async function readVersions(
  file: FileHandle,
  start: number,
  count: number,
  strings: Buffer,
): Promise<readonly string[]> {
  const found: string[] = [];
  let at = start;
  for (let library = 0; library < count; library += 1) {
    const need = await bytesOf(file, at, 16);
    let aux = at + need.readUInt32LE(8);
    for (let index = need.readUInt16LE(2); index > 0 && found.length < MOST_VERSIONS; index -= 1) {
      const entry = await bytesOf(file, aux, 16);
      found.push(textAt(strings, entry.readUInt32LE(8)));
      aux += entry.readUInt32LE(12);
    }
    if (need.readUInt32LE(12) === 0) break;
    at += need.readUInt32LE(12);
  }
  return found;
}
