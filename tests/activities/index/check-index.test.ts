/** @slow */
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkIndex } from '../../../src/activities/index/check-index.js';
import { drawPages } from '../../../src/activities/index/draw-pages.js';
import { mendWheel } from '../../../src/activities/index/mend-wheel.js';
import { openFolder } from '../../../src/adapters/static-index/folder.js';
import type { Defect } from '../../../src/engine/index/check.js';
import { canonical } from '../../../src/model/json.js';
import { indexPaths, SIDECAR, STATEMENT, type IndexEntry } from '../../../src/model/python/index-entry.js';
import { anEntry } from '../../engine/index/an-entry.js';
import { wheelName } from '../../support/a-wheel.js';
import { newRoot, PLATFORM } from './an-index.js';
import { aSoundIndex, mending } from './a-sound-index.js';

const FILE = wheelName({ project: 'boat', version: '1.0', python: 'py3' });
const OTHER = wheelName({ project: 'boat', version: '2.0', python: 'py3' });
const BOAT = { platform: PLATFORM, project: 'boat', file: FILE };
const paths = {
  file: indexPaths.file(PLATFORM, 'boat', FILE),
  sidecar: indexPaths.file(PLATFORM, 'boat', FILE) + SIDECAR,
  statement: indexPaths.file(PLATFORM, 'boat', FILE) + STATEMENT,
  entry: indexPaths.entry(PLATFORM, 'boat', FILE),
  page: indexPaths.page(PLATFORM, 'boat', 'json'),
  rollup: indexPaths.rollup(PLATFORM),
};

type Damage = (at: (path: string) => string) => void;
const swap =
  (one: string, other: string): Damage =>
  (at) => {
    renameSync(at(one), at('x'));
    renameSync(at(other), at(one));
    renameSync(at('x'), at(other));
  };
const elsewhere = (): string => mkdtempSync(join(tmpdir(), 'slipway-elsewhere-'));
const link =
  (path: string): Damage =>
  (at) => {
    const target = join(elsewhere(), 'moved');
    renameSync(at(path), target);
    symlinkSync(target, at(path));
  };

/** Both pages of a project, the roll-up, and both pages of the status. */
const PAGES_OLD = Array.from({ length: 5 }, () => 'INDEX_PAGE_OLD');
/** Damage, the codes that a check reports, and those that are left after a repair. */
const CASES: readonly [what: string, damage: Damage, found: readonly string[], left: readonly string[]][] = [
  ['nothing', () => undefined, [], []],
  ['a sidecar is gone', (at) => rmSync(at(paths.sidecar)), ['INDEX_SIDECAR_ABSENT'], []],
  ['a sidecar has other text', (at) => appendFileSync(at(paths.sidecar), 'x'), ['INDEX_SIDECAR_DIFFERS'], []],
  ['an entry is truncated', (at) => truncateSync(at(paths.entry), 20), ['INDEX_ENTRY_DAMAGED', ...PAGES_OLD], []],
  ['a file has no entry', (at) => rmSync(at(paths.entry)), ['INDEX_ENTRY_ABSENT', ...PAGES_OLD], []],
  [
    'a file has neither entry nor statement',
    (at) => [paths.entry, paths.statement].forEach((path) => rmSync(at(path))),
    ['INDEX_ENTRY_ABSENT', ...PAGES_OLD],
    ['INDEX_ENTRY_ABSENT'],
  ],
  [
    'an entry has no file, and a page names it',
    (at) => rmSync(at(paths.file)),
    ['INDEX_FILE_ABSENT', ...PAGES_OLD],
    ['INDEX_FILE_ABSENT'],
  ],
  [
    'a file has other bytes than its entry says',
    (at) => appendFileSync(at(paths.file), 'x'),
    ['INDEX_ENTRY_DIFFERS'],
    ['INDEX_ENTRY_DIFFERS'],
  ],
  [
    'two wheels are under each other’s names',
    swap(paths.file, indexPaths.file(PLATFORM, 'boat', OTHER)),
    ['INDEX_ENTRY_DIFFERS', 'INDEX_ENTRY_DIFFERS'],
    ['INDEX_ENTRY_DIFFERS', 'INDEX_ENTRY_DIFFERS'],
  ],
  [
    'a file without entry has the statement of other bytes',
    (at) => {
      rmSync(at(paths.entry));
      appendFileSync(at(paths.file), 'x');
    },
    ['INDEX_ENTRY_ABSENT', ...PAGES_OLD],
    ['INDEX_ENTRY_ABSENT'],
  ],
  ['a statement is gone', (at) => rmSync(at(paths.statement)), ['INDEX_STATEMENT_ABSENT'], ['INDEX_STATEMENT_ABSENT']],
  [
    'a statement has other text',
    (at) => appendFileSync(at(paths.statement), ' '),
    ['INDEX_STATEMENT_DIFFERS'],
    ['INDEX_STATEMENT_DIFFERS'],
  ],
  ['a page is gone', (at) => rmSync(at(paths.page)), ['INDEX_PAGE_ABSENT'], []],
  ['a page is truncated', (at) => truncateSync(at(paths.page), 30), ['INDEX_PAGE_OLD'], []],
  ['the roll-up is no JSON', (at) => writeFileSync(at(paths.rollup), '{'), ['INDEX_PAGE_OLD'], []],
  [
    'all pages are gone',
    (at) => rmSync(at(`${PLATFORM}/simple`), { recursive: true }),
    Array.from({ length: 9 }, () => 'INDEX_PAGE_ABSENT'),
    [],
  ],
  [
    'a page of a project without wheels names one',
    (at) => {
      mkdirSync(at(`${PLATFORM}/simple/ghost`));
      writeFileSync(at(indexPaths.page(PLATFORM, 'ghost', 'json')), readFileSync(at(paths.page)));
    },
    ['INDEX_PAGE_ABSENT', 'INDEX_PAGE_OLD'],
    [],
  ],
  [
    'a wheel is a link out of the folder',
    link(paths.file),
    ['INDEX_FILE_ABSENT', 'INDEX_LINK', ...PAGES_OLD],
    ['INDEX_FILE_ABSENT', 'INDEX_LINK'],
  ],
  [
    'the entries of a project are a link out of the folder',
    link(dirname(paths.entry)),
    [
      ...['INDEX_ENTRY_ABSENT', 'INDEX_ENTRY_ABSENT', 'INDEX_LINK'],
      ...PAGES_OLD,
      ...['INDEX_PAGE_OLD', 'INDEX_PAGE_OLD'],
    ],
    ['INDEX_ENTRY_ABSENT', 'INDEX_ENTRY_ABSENT', 'INDEX_LINK'],
  ],
  [
    'a stranger lies beside a wheel',
    (at) => writeFileSync(at(`${dirname(paths.file)}/notes.txt`), 'x'),
    ['INDEX_FILE_STRANGE'],
    ['INDEX_FILE_STRANGE'],
  ],
];

const codesOf = (defects: readonly Defect[]): readonly string[] => defects.map(({ code }) => code).sort();

/** Repairs as the index writer does: wheels first, then pages. */
async function mend(root: string, defects: readonly Defect[]): Promise<void> {
  const place = openFolder('cache', root);
  for (const { repair } of defects)
    if (repair === 'sidecar' || repair === 'entry') await mendWheel(place, mending, BOAT);
  if (defects.some(({ repair }) => repair !== null)) await drawPages(place, PLATFORM, ['boat', 'ghost', 'skiff']);
}

describe.each(CASES)('given an index where %s', (_, damage, found, left) => {
  test('when it is checked, then each defect has a code, a path and a next step, and nothing is written', async () => {
    const { root, place } = await aSoundIndex();
    damage((path) => join(root, path));
    const before = readdirSync(root, { recursive: true }).toSorted();
    const { defects } = await checkIndex(place);
    expect(codesOf(defects)).toEqual([...found].sort());
    for (const { subject, why, next } of defects) {
      expect(subject).toMatch(new RegExp(`^${PLATFORM}/`));
      expect([why, next].every((text) => text.length > 10)).toBe(true);
    }
    expect(readdirSync(root, { recursive: true }).toSorted()).toEqual(before);
  });

  test('when it is repaired, then what can be derived is as before, and no byte of a wheel changes', async () => {
    const { root, place } = await aSoundIndex();
    damage((path) => join(root, path));
    const wheels = wheelBytes(root);
    await mend(root, (await checkIndex(place)).defects);
    expect(codesOf((await checkIndex(place)).defects.filter(({ subject }) => !subject.includes('/ghost/')))).toEqual(
      [...left].sort(),
    );
    expect(wheelBytes(root)).toEqual(wheels);
  });
});

const wheelBytes = (root: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile() && one.name.endsWith('.whl'))
      .map((one) => [one.name, readFileSync(join(one.parentPath, one.name)).toString('base64')]),
  );

test('given a lost entry, when it is derived, then it differs from the lost one only in time and publisher', async () => {
  const { root, place } = await aSoundIndex();
  const lost = JSON.parse(readFileSync(join(root, paths.entry), 'utf8')) as IndexEntry;
  rmSync(join(root, paths.entry));
  expect(await mendWheel(place, mending, BOAT)).toBe(true);
  const derived = JSON.parse(readFileSync(join(root, paths.entry), 'utf8')) as IndexEntry;
  expect(derived).toEqual({ ...lost, links: {}, uploadTime: '2026-11-23T03:00:00.000000Z', publisher: null });
  expect(await mendWheel(place, mending, BOAT)).toBe(false);
});

test('given entries that are a link out of the folder, when a wheel is repaired, then nothing is written behind the link', async () => {
  const { root, place } = await aSoundIndex();
  const outside = elsewhere();
  rmSync(join(root, dirname(paths.entry)), { recursive: true });
  symlinkSync(outside, join(root, dirname(paths.entry)));
  expect(await mendWheel(place, mending, BOAT)).toBe(false);
  expect(readdirSync(outside)).toEqual([]);
});

test('given a wheel that a record removed, when its bytes are gone, then the index is sound', async () => {
  const { root, place } = await aSoundIndex();
  const gone = { slipway: 1, file: FILE, state: 'removed', by: 'ada', because: 'nobody asks', review: null };
  await place.create(`${indexPaths.gone(PLATFORM, 'boat')}${FILE}.json`, canonical(gone));
  await drawPages(place, PLATFORM, ['boat']);
  expect((await checkIndex(place)).defects).toEqual([]);
  rmSync(join(root, paths.file));
  expect((await checkIndex(place)).defects).toEqual([]);
});

test('given an empty folder, or none, then there is no defect', async () => {
  const nothing = { platforms: [], projects: [], wheels: 0, defects: [] };
  expect(await checkIndex(openFolder('cache', newRoot()))).toEqual(nothing);
  expect(await checkIndex(openFolder('cache', join(newRoot(), 'absent')))).toEqual(nothing);
});

test('given a thousand wheels with one lost file, when they are checked, then that one is found', async () => {
  const root = newRoot();
  for (let at = 0; at < 20; at += 1) {
    const project = `p${at}`;
    for (const area of ['files', 'entries']) mkdirSync(join(root, PLATFORM, area, project), { recursive: true });
    for (let version = 0; version < 50; version += 1) {
      const file = wheelName({ project, version: `1.${version}`, python: 'py3' });
      const path = indexPaths.file(PLATFORM, project, file);
      const empty = 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' as const;
      for (const beside of ['', SIDECAR, STATEMENT]) writeFileSync(join(root, path + beside), '');
      const entry = anEntry(file, { digest: empty, size: 0, metadata: empty, statement: empty });
      writeFileSync(join(root, indexPaths.entry(PLATFORM, project, file)), canonical(entry));
    }
  }
  const place = openFolder('cache', root);
  await drawPages(place, PLATFORM, readdirSync(join(root, PLATFORM, 'files')));
  expect((await checkIndex(place)).defects).toEqual([]);
  const lost = indexPaths.file(PLATFORM, 'p7', wheelName({ project: 'p7', version: '1.7', python: 'py3' }));
  rmSync(join(root, lost));
  const { wheels, defects } = await checkIndex(place);
  expect(wheels).toBe(1000);
  const absent = defects.find(({ code }) => code === 'INDEX_FILE_ABSENT');
  expect([absent?.subject, absent?.next]).toEqual([lost, expect.stringContaining('--repair`, then `slipway run')]);
});
