import { readFileSync, rmSync, statSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawPages } from '../../../src/activities/index/draw-pages.js';
import type { IndexPlace } from '../../../src/activities/index/ports.js';
import { indexPaths } from '../../../src/model/python/index-entry.js';
import { aFolder, listedIn, PLATFORM, put, snapshot, wheel } from './an-index.js';

const page = (root: string, project: string): string => join(root, indexPaths.page(PLATFORM, project, 'json'));
const entry = (root: string, file: string): string => join(root, indexPaths.entry(PLATFORM, 'skiff', file));
const rollup = (root: string): readonly { file: string }[] =>
  (JSON.parse(readFileSync(join(root, indexPaths.rollup(PLATFORM)), 'utf8')) as { files: { file: string }[] }).files;
const rootOf = (root: string): readonly { name: string }[] =>
  (JSON.parse(readFileSync(join(root, indexPaths.root(PLATFORM, 'json')), 'utf8')) as { projects: { name: string }[] })
    .projects;

async function twoWheels() {
  const { root, place } = aFolder();
  for (const version of ['1.0', '1.1']) await put(place, wheel('skiff', version));
  await put(place, wheel('boat', '3'));
  await drawPages(place, PLATFORM, ['skiff', 'boat']);
  return { root, place };
}

test('given entries, when their projects are drawn, then pages, root and roll-up name them', async () => {
  const { root } = await twoWheels();
  expect(listedIn(root, 'skiff')).toEqual([wheel('skiff', '1.0'), wheel('skiff', '1.1')]);
  expect(rootOf(root)).toEqual([{ name: 'boat' }, { name: 'skiff' }]);
  expect(rollup(root).map(({ file }) => file)).toEqual([
    wheel('boat', '3'),
    wheel('skiff', '1.0'),
    wheel('skiff', '1.1'),
  ]);
});

test('given drawn pages, when they are drawn again, then no file changes, not even its time', async () => {
  const { root, place } = await twoWheels();
  const before = snapshot(root);
  await drawPages(place, PLATFORM, ['boat', 'skiff']);
  expect(snapshot(root)).toEqual(before);
});

test('given a page that changes, when it is swapped, then its time is at least a second later, for the ETag', async () => {
  const { root, place } = await twoWheels();
  const before = Math.floor(statSync(page(root, 'skiff')).mtimeMs / 1000);
  await put(place, wheel('skiff', '1.2'));
  await drawPages(place, PLATFORM, ['skiff']);
  expect(Math.floor(statSync(page(root, 'skiff')).mtimeMs / 1000)).toBeGreaterThan(before);
});

test('given a project that is not asked for, when others are drawn, then the roll-up keeps it without reading it', async () => {
  const { root, place } = await twoWheels();
  truncateSync(entry(root, wheel('skiff', '1.0')), 10);
  await put(place, wheel('boat', '4'));
  expect(await drawPages(place, PLATFORM, ['boat'])).toEqual([]);
  expect(rollup(root)).toHaveLength(4);
});

test('given a truncated entry, when pages are drawn, then it is a finding with its path, and other wheels are listed', async () => {
  const { root, place } = await twoWheels();
  truncateSync(entry(root, wheel('skiff', '1.0')), 10);
  const findings = await drawPages(place, PLATFORM, ['skiff']);
  expect(findings).toMatchObject([{ code: 'INDEX_ENTRY_DAMAGED', level: 'warning' }]);
  expect(findings[0]!.subject).toBe(indexPaths.entry(PLATFORM, 'skiff', wheel('skiff', '1.0')));
  expect(listedIn(root, 'skiff')).toEqual([wheel('skiff', '1.1')]);
});

test('given an entry without its file, when pages are drawn, then no page names it', async () => {
  const { root, place } = await twoWheels();
  unlinkSync(join(root, indexPaths.file(PLATFORM, 'skiff', wheel('skiff', '1.0'))));
  expect(await drawPages(place, PLATFORM, ['skiff'])).toMatchObject([{ code: 'INDEX_FILE_ABSENT' }]);
  expect(listedIn(root, 'skiff')).toEqual([wheel('skiff', '1.1')]);
  expect(rollup(root)).toHaveLength(2);
});

test('given a file without an entry, when pages are drawn, then it is not listed, and a note says so', async () => {
  const { root, place } = await twoWheels();
  rmSync(entry(root, wheel('skiff', '1.0')));
  expect(await drawPages(place, PLATFORM, ['skiff'])).toMatchObject([{ code: 'INDEX_ENTRY_ABSENT', level: 'note' }]);
  expect(listedIn(root, 'skiff')).toEqual([wheel('skiff', '1.1')]);
});

test('given removals and yanks, when pages are drawn, then they follow them, also in the roll-up of other drawings', async () => {
  const { root, place } = await twoWheels();
  const gone = (version: string, state: string): Promise<boolean> => {
    const file = wheel('skiff', version);
    const record = { slipway: 1, file, state, by: 'ada', because: 'unused', review: null };
    return place.create(`${PLATFORM}/gone/skiff/${file}.json`, JSON.stringify(record));
  };
  await gone('1.0', 'removed');
  await gone('1.1', 'yanked');
  await drawPages(place, PLATFORM, ['skiff']);
  await drawPages(place, PLATFORM, ['boat']);
  expect(listedIn(root, 'skiff')).toEqual([wheel('skiff', '1.1')]);
  expect(JSON.parse(readFileSync(page(root, 'skiff'), 'utf8'))).toMatchObject({ files: [{ yanked: 'unused' }] });
  expect(rollup(root).map(({ file }) => file)).toEqual([wheel('boat', '3'), wheel('skiff', '1.1')]);
});

test('given a page that a person damaged, when it is drawn, then it is whole again', async () => {
  const { root, place } = await twoWheels();
  writeFileSync(page(root, 'skiff'), '{');
  await drawPages(place, PLATFORM, ['skiff']);
  expect(listedIn(root, 'skiff')).toHaveLength(2);
});

/** A place in which `during` happens once, after the n-th swap. */
function disturbed(place: IndexPlace, during: () => Promise<void>): IndexPlace {
  let done = false;
  return {
    ...place,
    swap: async (path, text, seen) => {
      if (!done) {
        done = true;
        await during();
      }
      return place.swap(path, text, seen);
    },
  };
}

test('given another writer that lists a wheel while pages are drawn, when the drawing ends, then both wheels are listed', async () => {
  const { root, place } = await twoWheels();
  await put(place, wheel('skiff', '1.2'));
  const slow = disturbed(place, async () => {
    await put(place, wheel('skiff', '1.3'));
    await drawPages(place, PLATFORM, ['skiff']);
  });
  await drawPages(slow, PLATFORM, ['skiff']);
  expect(listedIn(root, 'skiff')).toHaveLength(4);
  expect(rollup(root)).toHaveLength(5);
});

test('given a place that tells of another writer at each swap, when pages are drawn, then it ends with a code', async () => {
  const { place } = aFolder();
  await put(place, wheel('skiff', '1.0'));
  const lost: IndexPlace = { ...place, swap: async () => false };
  await expect(drawPages(lost, PLATFORM, ['skiff'])).rejects.toMatchObject({
    problems: [{ code: 'INDEX_RESTLESS', class: 'infra' }],
  });
});
