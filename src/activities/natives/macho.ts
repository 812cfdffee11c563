import { type FileHandle, open } from 'node:fs/promises';
import { newer } from '../../engine/checks/native.js';
import { bytesOf, textAt } from './bytes.js';

/** The parts of a Mach-O file that matter for installing it. Source: mach-o/loader.h, 64 bit, little-endian; fat.h. */
export interface Macho {
  readonly archs: readonly string[];
  /** Newest minimum macOS of its architectures. Null if one has none or is for another system. */
  readonly minOs: string | null;
  /** True if every architecture is signed, by any key. */
  readonly signed: boolean;
  readonly needed: readonly string[];
  readonly runPaths: readonly string[];
}

const CPUS: Readonly<Record<number, string>> = { 0x01000007: 'x86_64', 0x0100000c: 'arm64' };
const LC = { signature: 0x1d, versionMin: 0x24, buildVersion: 0x32, runPath: 0x8000001c } as const;
/** LC_LOAD_DYLIB, _WEAK_, _REEXPORT_, _UPWARD_ */
const LOADS = [0xc, 0x80000018, 0x8000001f, 0x80000023];
const MACOS = 1;
/** A Java class file has the magic number of a fat file; its next field is a version of at least 45. */
const MOST_PARTS = 32;

interface Part extends Omit<Macho, 'archs'> {
  readonly arch: string;
}

/** Null if the file is no Mach-O file; `broken` if it is truncated. */
export async function readMacho(path: string): Promise<Macho | 'broken' | null> {
  await using file = await open(path);
  try {
    const offsets = await partsOf(file);
    if (offsets === null) return null;
    const parts = await Promise.all(offsets.map((offset) => readPart(file, offset)));
    return {
      archs: parts.map(({ arch }) => arch),
      minOs: newest(parts.map(({ minOs }) => minOs)),
      signed: parts.every(({ signed }) => signed),
      needed: [...new Set(parts.flatMap(({ needed }) => needed))],
      runPaths: [...new Set(parts.flatMap(({ runPaths }) => runPaths))],
    };
  } catch (error) {
    if ((error as Error).name === 'RangeError') return 'broken';
    throw error;
  }
}

async function partsOf(file: FileHandle): Promise<readonly number[] | null> {
  const head = await bytesOf(file, 0, 8);
  if (head.length < 8) return null;
  if (head.readUInt32LE(0) === 0xfeedfacf) return [0];
  const magic = head.readUInt32BE(0);
  const count = head.readUInt32BE(4);
  if ((magic !== 0xcafebabe && magic !== 0xcafebabf) || count === 0 || count > MOST_PARTS) return null;
  const wide = magic === 0xcafebabf;
  const step = wide ? 32 : 20;
  const table = await bytesOf(file, 8, count * step);
  return Array.from({ length: count }, (_, index) =>
    wide ? Number(table.readBigUInt64BE(index * step + 8)) : table.readUInt32BE(index * step + 8),
  );
}

async function readPart(file: FileHandle, offset: number): Promise<Part> {
  const head = await bytesOf(file, offset, 32);
  const cpu = head.readUInt32LE(4);
  const commands = await bytesOf(file, offset + 32, head.readUInt32LE(20));
  let part: Part = { arch: CPUS[cpu] ?? `cpu ${cpu}`, minOs: null, signed: false, needed: [], runPaths: [] };
  for (let at = 0, left = head.readUInt32LE(16); left > 0; left -= 1) {
    const size = commands.readUInt32LE(at + 4);
    part = withCommand(part, commands.subarray(at, at + size));
    at += Math.max(size, 8);
  }
  return part;
}

function withCommand(part: Part, command: Buffer): Part {
  const kind = command.readUInt32LE(0);
  const text = (): string => textAt(command, command.readUInt32LE(8));
  if (LOADS.includes(kind)) return { ...part, needed: [...part.needed, text()] };
  if (kind === LC.signature) return { ...part, signed: true };
  if (kind === LC.runPath) return { ...part, runPaths: [...part.runPaths, text()] };
  if (kind === LC.versionMin) return { ...part, minOs: versionOf(command.readUInt32LE(8)) };
  if (kind === LC.buildVersion && command.readUInt32LE(8) === MACOS)
    return { ...part, minOs: versionOf(command.readUInt32LE(12)) };
  return part;
}

/** Formats a packed version `xxxx.yy.zz`; a patch of 0 is left out. */
const versionOf = (packed: number): string => {
  const patch = packed & 0xff;
  return `${packed >>> 16}.${(packed >>> 8) & 0xff}${patch === 0 ? '' : `.${patch}`}`;
};

function newest(versions: readonly (string | null)[]): string | null {
  if (versions.length === 0 || versions.includes(null)) return null;
  return (versions as string[]).reduce((a, b) => (newer(b, a) ? b : a));
}
