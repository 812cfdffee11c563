import type { FileHandle } from 'node:fs/promises';
import { bytesOf, textAt, word } from './bytes.js';
import { readDefined, readRequired, type VersionTable } from './elf-versions.js';

/** The dynamic section of an ELF file, found through program headers as the loader does. `strip` keeps them. */
export interface Dynamic {
  /** DT_RPATH and DT_RUNPATH. */
  readonly runPaths: readonly string[];
  /** DT_NEEDED. */
  readonly needed: readonly string[];
  /** Symbol versions that it requires, by library: `GLIBC_2.17` of `libc.so.6`. */
  readonly requires: Readonly<Record<string, readonly string[]>>;
  /** DT_SONAME. Null if it has none. */
  readonly soname: string | null;
  /** Symbol versions that it defines. */
  readonly defines: readonly string[];
}

const NOTHING: Dynamic = { runPaths: [], needed: [], requires: {}, soname: null, defines: [] };

const PT = { load: 1, dynamic: 2 } as const;
const DT = {
  needed: 1,
  strings: 5,
  stringsSize: 10,
  soname: 14,
  rpath: 15,
  runPath: 29,
  verdef: 0x6ffffffc,
  verdefCount: 0x6ffffffd,
  verneed: 0x6ffffffe,
  verneedCount: 0x6fffffff,
};
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
  if (dynamic === undefined) return NOTHING;
  const entries = entriesOf(await bytesOf(file, dynamic.offset, dynamic.size), is64);
  const value = (tag: number): number => entries.find((entry) => entry.tag === tag)?.value ?? 0;
  const strings = await bytesOf(file, offsetOf(value(DT.strings), segments), value(DT.stringsSize));
  const texts = (...tags: number[]): readonly string[] =>
    entries.filter(({ tag }) => tags.includes(tag)).map((entry) => textAt(strings, entry.value));
  const tableAt = (address: number, count: number): VersionTable | null =>
    value(address) === 0 ? null : { start: offsetOf(value(address), segments), count: value(count), strings };
  const [required, defined] = [tableAt(DT.verneed, DT.verneedCount), tableAt(DT.verdef, DT.verdefCount)];
  return {
    runPaths: texts(DT.rpath, DT.runPath).filter((text) => text !== ''),
    needed: texts(DT.needed),
    requires: required === null ? {} : await readRequired(file, required),
    soname: texts(DT.soname)[0] ?? null,
    defines: defined === null ? [] : await readDefined(file, defined),
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
