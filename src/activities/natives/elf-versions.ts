import type { FileHandle } from 'node:fs/promises';
import { bytesOf, textAt } from './bytes.js';

/** Bounds the loops over a malformed file; no real file has so many. */
const MOST_VERSIONS = 10_000;
/** A definition that names the library itself. */
const VER_FLG_BASE = 1;

/** A table of versions. */
export interface VersionTable {
  /** File offset. */
  readonly start: number;
  readonly count: number;
  readonly strings: Buffer;
}

/** Returns the symbol versions that a file requires, by library. It follows the chain of Elf_Verneed, one a library, and its
 * Elf_Vernaux. Both have the same layout in 32 and 64 bit. */
export async function readRequired(
  file: FileHandle,
  { start, count, strings }: VersionTable,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const found = new Map<string, string[]>();
  let total = 0;
  let at = start;
  for (let library = 0; library < count; library += 1) {
    const need = await bytesOf(file, at, 16);
    const name = textAt(strings, need.readUInt32LE(4));
    const versions = found.get(name) ?? [];
    found.set(name, versions);
    let aux = at + need.readUInt32LE(8);
    for (let index = need.readUInt16LE(2); index > 0 && total < MOST_VERSIONS; index -= 1, total += 1) {
      const entry = await bytesOf(file, aux, 16);
      versions.push(textAt(strings, entry.readUInt32LE(8)));
      aux += entry.readUInt32LE(12);
    }
    if (need.readUInt32LE(12) === 0) break;
    at += need.readUInt32LE(12);
  }
  return Object.fromEntries(found);
}

/** Returns the symbol versions that a library defines. It follows the chain of Elf_Verdef; the first Elf_Verdaux of each has its
 * name. */
export async function readDefined(
  file: FileHandle,
  { start, count, strings }: VersionTable,
): Promise<readonly string[]> {
  const found: string[] = [];
  let at = start;
  for (let index = 0; index < Math.min(count, MOST_VERSIONS); index += 1) {
    const definition = await bytesOf(file, at, 20);
    const name = await bytesOf(file, at + definition.readUInt32LE(12), 4);
    if ((definition.readUInt16LE(2) & VER_FLG_BASE) === 0) found.push(textAt(strings, name.readUInt32LE(0)));
    const next = definition.readUInt32LE(16);
    if (next === 0) break;
    at += next;
  }
  return found;
}
