/** @needs tools */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkIndex } from '../../../src/activities/index/check-index.js';
import { drawPages } from '../../../src/activities/index/draw-pages.js';
import { indexPaths, SIDECAR, STATEMENT } from '../../../src/model/python/index-entry.js';
import { digest } from '../../engine/index/an-entry.js';
import { listedIn } from '../index/an-index.js';
import { anIndex, PLATFORM, wheelIn } from './a-rebuilt-index.js';
import { codesOf } from './release.js';

const METADATA = 'Metadata-Version: 2.1\nName: boat\nVersion: 3.0\nRequires-Dist: oar\n';

/** An index with one wheel, of which only some files are left. */
async function leftOver(...lost: readonly ('wheel' | 'entry')[]) {
  const index = await anIndex();
  const first = await wheelIn(index.home, { code: 'built = 0\n' });
  await index.publish(first);
  const wheel = indexPaths.file(PLATFORM, 'boat', first.name);
  const paths = { wheel, entry: indexPaths.entry(PLATFORM, 'boat', first.name) };
  for (const one of lost) rmSync(join(index.root, paths[one]));
  await drawPages(index.place, PLATFORM, ['boat']);
  return { ...index, first, wheel };
}

test('given a sidecar and a statement of a wheel whose file and entry are gone, when other bytes are published under its name, then both are those of the new wheel', async () => {
  const { home, root, place, publish, wheel, first } = await leftOver('wheel', 'entry');
  const next = await wheelIn(home, { code: 'built = 1\n', metadata: METADATA });
  await publish(next);
  expect(listedIn(root, 'boat')).toEqual([first.name]);
  expect((await place.read(wheel + SIDECAR))?.text).toBe(METADATA);
  expect((await place.read(wheel + STATEMENT))?.text).toContain(next.digest.slice('sha256:'.length));
  expect((await checkIndex(place)).defects).toEqual([]);
});

test('given a wheel without an entry whose sidecar was cut, when it is published again, then its METADATA is whole', async () => {
  const { root, place, publish, wheel, first } = await leftOver('entry');
  const whole = (await place.read(wheel + SIDECAR))!.text;
  const stated = (await place.read(wheel + STATEMENT))!.text;
  writeFileSync(join(root, wheel + SIDECAR), whole.slice(0, 10));
  await publish(first, { base: 'b' });
  expect((await place.read(wheel + SIDECAR))?.text).toBe(whole);
  expect((await place.read(wheel + STATEMENT))?.text).toBe(stated);
  expect((await checkIndex(place)).defects).toEqual([]);
});

test('given a lost wheel whose sidecar and statement were cut, when it is restored, then all is back byte for byte', async () => {
  const { root, place, restored, wheel, first } = await leftOver('wheel', 'entry');
  for (const end of [SIDECAR, STATEMENT]) writeFileSync(join(root, wheel + end), 'Metadata-V');
  expect(await restored(first)).toMatchObject([{ file: first.name, state: 'restored' }]);
  expect((await checkIndex(place)).defects).toEqual([]);
});

test('given an entry of other bytes, when a wheel is restored under its name, then nothing beside it is replaced', async () => {
  const { root, place, restored, wheel, first } = await leftOver('wheel');
  const entry = indexPaths.entry(PLATFORM, 'boat', first.name);
  const other = (await place.read(entry))!.text.replace(first.digest, digest('e'));
  writeFileSync(join(root, entry), other);
  writeFileSync(join(root, wheel + SIDECAR), 'of other bytes');
  expect(await restored(first)).toMatchObject([{ file: first.name, state: 'differs' }]);
  expect([await place.read(wheel), (await place.read(wheel + SIDECAR))?.text]).toEqual([null, 'of other bytes']);
});

test('given a wheel without an entry, when other bytes are published under its name, then the step fails, because no page has the wheel', async () => {
  const { home, root, publish } = await leftOver('entry');
  const next = await wheelIn(home, { code: 'built = 1\n' });
  expect(await publish(next).then(() => 'done', codesOf)).toEqual(['INDEX_NAME_USED']);
  expect(listedIn(root, 'boat')).toEqual([]);
});
