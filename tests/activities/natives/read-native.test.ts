import { openSync, readSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readNative } from '../../../src/activities/natives/read-native.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'natives-'));
});

/** The first bytes of an ELF file for a machine of big-endian words. */
function bigEndian(machine: number): Buffer {
  const head = Buffer.alloc(64);
  head.set([0x7f, 0x45, 0x4c, 0x46, 2, 2, 1]);
  head.writeUInt16BE(3, 16);
  head.writeUInt16BE(machine, 18);
  return head;
}

/** What a full disk leaves of a program. */
const halfOfNode = (): Buffer => {
  const head = Buffer.alloc(4096);
  readSync(openSync(process.execPath, 'r'), head, 0, head.length, 0);
  return head;
};

test.each([
  ['s390x', bigEndian(22), { format: 'elf', archs: ['s390x'] }],
  ['an unknown machine', bigEndian(9999), { format: 'elf', archs: ['machine 9999'] }],
  ['Linux, truncated after its headers', halfOfNode(), { format: 'elf', broken: true }],
  ['no machine, because it is truncated', bigEndian(22).subarray(0, 12), null],
  [
    'no machine, because it is text',
    Buffer.from('ELF files begin otherwise, and this is a text of more than twenty bytes'),
    null,
  ],
])('given a file for %s, then it is read without running a program', async (name, bytes, facts) => {
  const path = join(folder, name);
  await writeFile(path, bytes);
  const read = await readNative(path);
  if (facts === null) expect(read).toBeNull();
  else expect(read).toMatchObject(facts);
});
