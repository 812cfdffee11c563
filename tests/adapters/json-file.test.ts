import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepJson } from '../../src/adapters/json-file.js';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'slipway-keep-'))));
afterEach(() => rm(folder, { recursive: true }));

test('given twenty writers of one file at once, when they write, then the file is whole and nothing else is left', async () => {
  const path = join(folder, 'answers.json');
  const texts = Array.from({ length: 20 }, (_, at) => ({ text: String(at).repeat(10_000) }));
  await Promise.all(texts.map((value) => keepJson(path, value)));
  expect(texts).toContainEqual(JSON.parse(await readFile(path, 'utf8')));
  expect(await readdir(folder)).toEqual(['answers.json']);
});
