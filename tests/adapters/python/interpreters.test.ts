/** @needs python */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterpreters } from '../../../src/adapters/python/interpreters.js';

const here = execFileSync(
  'python3',
  ['-c', 'import sys; print("cp%d%d %s" % (*sys.version_info[:2], sys.executable))'],
  { encoding: 'utf8' },
);
const [tag = '', python = ''] = here.trim().split(' ');
const pathOf = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-python-'));
  symlinkSync(python, join(folder, name));
  return folder;
};

test('given a Python under any file name, then it is found by its own answer', async () => {
  const found = await createInterpreters({ PATH: pathOf('python3.99'), PYENV_ROOT: '/nowhere' }).find(tag);
  expect(found).toMatchObject({ tag, headers: expect.any(Boolean) });
});

test('given a program that is not Python, then it is ignored', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-python-'));
  writeFileSync(join(folder, 'python3'), '#!/bin/sh\necho no\n', { mode: 0o755 });
  expect(await createInterpreters({ PATH: folder, PYENV_ROOT: '/nowhere' }).tags()).toEqual([]);
});

test('given an absent version, then the result is null', async () =>
  expect(await createInterpreters().find('cp299')).toBeNull());

test('given several Pythons, then their tags are ordered by number', async () => {
  const tags = await createInterpreters().tags();
  expect(tags).toEqual([...tags].sort((a, b) => a.localeCompare(b, 'en', { numeric: true })));
});
