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

test('given builder paths, then each is reported by its nearest folder with its line; similar names are not', async () => {
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

test('given a path across two chunks of a large file, then it is found', async () => {
  const { hits } = await scanFile(aFile(`${'\n'.repeat((1 << 20) - 3)}/build/venv/lib`), needles);
  expect(hits).toMatchObject([{ line: (1 << 20) - 2, path: '<build environment>/lib' }]);
});

test.each([
  ['.rodata', ['code']],
  ['.debug_str', ['debug']],
  ['.dynstr', []],
])('given a path in section %s of a binary, then it counts as %j', (name, places) => {
  const hits = placeHits('a.so', [{ offset: 5, line: 1, path: 'x' }], [{ name, offset: 0, size: 9 }]);
  expect(hits.map((hit) => hit.in)).toEqual(places);
});

test.each([
  ['a text', 'x'.repeat(99), null],
  ['a short text', 'x', null],
  ['half a binary', Buffer.concat([Buffer.from('7f454c460201', 'hex'), Buffer.alloc(99, 0xff)]), 'broken'],
])('given %s, then reading it as ELF returns %p', async (_, bytes, read) =>
  expect(await readElf(aFile(bytes))).toBe(read),
);

test('given the Node binary, then its sections are read', async () => {
  const elf = await readElf(process.execPath);
  if (elf === null || elf === 'broken') throw new Error('not read');
  expect(elf.sections.map(({ name }) => name)).toEqual(expect.arrayContaining(['.dynamic', '.dynstr', '.rodata']));
});

test.each([
  ['gcc -shared -L/p/lib -Wl,-rpath,/p/lib -O1', { LDSHARED: 'gcc -shared -O1' }],
  ['gcc -shared', {}],
])('given the linker command %s, then folders of the builder are removed', (ldshared, env) =>
  expect(cleanLinker({ ldshared })).toEqual(env),
);

test('given check-wheel-contents findings over several lines, then each is one finding', () =>
  expect(splitFindings('a.whl: W002: Duplicate files:\n  a.py\n  b.py\na.whl: W004: Not importable: x\n')).toEqual([
    { code: 'W002', why: 'Duplicate files; a.py; b.py' },
    { code: 'W004', why: 'Not importable: x' },
  ]));
