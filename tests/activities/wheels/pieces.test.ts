import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { splitFindings } from '../../../src/activities/wheels/ask-tools.js';
import { cleanLinker } from '../../../src/activities/wheels/build-env.js';
import { readElf } from '../../../src/activities/natives/elf.js';
import { placeHits, scanFile } from '../../../src/activities/wheels/look/scan.js';

const aFile = (bytes: string | Uint8Array): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'slipway-look-')), 'file');
  writeFileSync(path, bytes);
  return path;
};
const needles = [
  { prefix: '/build/venv', name: '<build environment>' },
  { prefix: '/build', name: '<build folder>' },
];

test('a place is told by the nearest folder, with its line; a name that only begins like it is none', async () => {
  const { hits, size } = await scanFile(
    aFile('#!/bin/sh\n. /build/venv/bin/activate\ncd "/build/x" /builder/y /build\n'),
    needles,
  );
  expect(size).toBe(69);
  expect(hits.map(({ line, path }) => [line, path])).toEqual([
    [2, '<build environment>/bin/activate'],
    [3, '<build folder>/x'],
    [3, '<build folder>'],
  ]);
});

test('a place is found across the pieces in which a large file is read', async () => {
  const { hits } = await scanFile(aFile(`${'\n'.repeat((1 << 20) - 3)}/build/venv/lib`), needles);
  expect(hits).toMatchObject([{ line: (1 << 20) - 2, path: '<build environment>/lib' }]);
});

test.each([
  ['.rodata', ['code']],
  ['.debug_str', ['debug']],
  ['.dynstr', []],
])('in section %s of a binary it counts as %j', (name, places) => {
  const hits = placeHits('a.so', [{ offset: 5, line: 1, path: 'x' }], [{ name, offset: 0, size: 9 }]);
  expect(hits.map((hit) => hit.in)).toEqual(places);
});

test.each([
  ['a text', 'x'.repeat(99), null],
  ['a short text', 'x', null],
  ['half a binary', Buffer.concat([Buffer.from('7f454c460201', 'hex'), Buffer.alloc(99, 0xff)]), 'broken'],
])('read as an ELF file, %s gives %p', async (_, bytes, read) => expect(await readElf(aFile(bytes))).toBe(read));

test('this Node is an ELF file with sections', async () => {
  const elf = await readElf(process.execPath);
  if (elf === null || elf === 'broken') throw new Error('not read');
  expect(elf.sections.map(({ name }) => name)).toEqual(expect.arrayContaining(['.dynamic', '.dynstr', '.rodata']));
});

test.each([
  ['gcc -shared -L/p/lib -Wl,-rpath,/p/lib -O1', { LDSHARED: 'gcc -shared -O1' }],
  ['gcc -shared', {}],
])('of the linker line %s a builder’s folders are left out', (ldshared, env) =>
  expect(cleanLinker({ ldshared })).toEqual(env),
);

test('findings of check-wheel-contents may go on in further lines', () =>
  expect(splitFindings('a.whl: W002: Duplicate files:\n  a.py\n  b.py\na.whl: W004: Not importable: x\n')).toEqual([
    { code: 'W002', why: 'Duplicate files; a.py; b.py' },
    { code: 'W004', why: 'Not importable: x' },
  ]));
