import { createRequire } from 'node:module';
import { join } from 'node:path';
import { atMost, row } from './rows.mjs';
import { middle } from './measure.mjs';

const PLATFORM = 'debian-12';
const FILES = 500;
const DIGEST = `sha256:${'a'.repeat(64)}`;

const fileOf = (at) => `boat-1.${at}-cp311-cp311-linux_x86_64.whl`;
const entryOf = (file) => ({
  ...{ slipway: 1, file, digest: DIGEST, size: 4096, requiresPython: '>=3.8', metadata: DIGEST, statement: DIGEST },
  uploadTime: '2026-11-22T10:00:00.000000Z',
  ...{ from: { source: DIGEST, lock: null, base: null }, publisher: 'bench' },
});

/** A page of 500 files in a folder: one more wheel, then the page is drawn and swapped. */
export async function wheelIndex({ root, folder, runs }) {
  const of = (path) => createRequire(import.meta.url)(join(root, 'dist', path));
  const { drawPages } = of('activities/index/draw-pages.js');
  const { openFolder } = of('adapters/static-index/folder.js');
  const place = openFolder('bench', join(folder, 'wheel-index'));
  const add = async (file) => {
    await place.create(`${PLATFORM}/files/boat/${file}`, file);
    await place.create(`${PLATFORM}/entries/boat/${file}.json`, JSON.stringify(entryOf(file)));
  };
  for (let at = 0; at < FILES; at++) await add(fileOf(at));
  await drawPages(place, PLATFORM, ['boat']);
  const took = [];
  for (let at = 0; at < (runs ?? 9); at++) {
    await add(fileOf(FILES + at));
    const began = performance.now();
    await drawPages(place, PLATFORM, ['boat']);
    took.push(performance.now() - began);
  }
  return [row(`page of ${FILES} files drawn and swapped`, middle(took), 'ms', { goal: atMost(30) })];
}
