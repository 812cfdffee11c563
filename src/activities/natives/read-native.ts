import { open } from 'node:fs/promises';
import { newer, type NativeFacts } from '../../engine/checks/native.js';
import { bytesOf } from './bytes.js';
import { bigEndianElf, type Elf, readElf } from './elf.js';
import { readMacho } from './macho.js';

/** Returns the facts in the headers of a native file, without running it. Null if it is no native file. */
export async function readNative(path: string): Promise<NativeFacts | null> {
  const elf = await readElf(path);
  if (elf !== null) return elf === 'broken' ? brokenFile('elf') : ofElf(elf);
  const macho = await readMacho(path);
  if (macho === 'broken') return brokenFile('macho');
  if (macho !== null) return { format: 'macho', glibc: null, musl: false, ...macho };
  const other = await bigEndianElf(path);
  if (other !== null) return machineAlone('elf', other);
  const arch = await peArch(path);
  return arch === null ? null : machineAlone('pe', arch);
}

const machineAlone = (format: NativeFacts['format'], arch: string): NativeFacts => ({
  ...{ format, archs: [arch], glibc: null, musl: false, minOs: null, signed: null },
  ...{ needed: [], runPaths: [] },
});

const brokenFile = (format: NativeFacts['format']): NativeFacts => ({
  ...machineAlone(format, 'unknown'),
  archs: [],
  broken: true,
});

export function ofElf({ arch, needed, runPaths, requires }: Elf): NativeFacts {
  const glibc = Object.values(requires)
    .flat()
    .flatMap((text) => /^GLIBC_(\d+(?:\.\d+)*)$/.exec(text)?.[1] ?? []);
  return {
    format: 'elf',
    archs: [arch],
    glibc: glibc.reduce<string | null>((best, one) => (best === null || newer(one, best) ? one : best), null),
    musl: needed.some((name) => /^(libc\.musl-|ld-musl-)/.test(name)),
    minOs: null,
    signed: null,
    needed,
    runPaths,
  };
}

const PE_MACHINES: Readonly<Record<number, string>> = { 0x14c: 'x86', 0x8664: 'amd64', 0xaa64: 'arm64' };

/** Returns the machine of a PE file (Microsoft PE format, COFF header), or null. Imports are not read. */
async function peArch(path: string): Promise<string | null> {
  await using file = await open(path);
  const head = await bytesOf(file, 0, 64);
  if (head.length < 64 || head.toString('latin1', 0, 2) !== 'MZ') return null;
  const coff = await bytesOf(file, head.readUInt32LE(60), 6);
  if (coff.length < 6 || coff.toString('latin1', 0, 4) !== 'PE\0\0') return null;
  const machine = coff.readUInt16LE(4);
  return PE_MACHINES[machine] ?? `machine ${machine}`;
}
