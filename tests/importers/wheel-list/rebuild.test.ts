import type { OurWheel } from '../../../src/importers/asks.js';
import type { Rebuilds } from '../../../src/model/made-base.js';
import type { Setting } from '../../../src/importers/importer.js';
import { digest } from '../../engine/index/an-entry.js';
import { DIGEST, importLists, rowTexts } from './import-lists.js';

const ENTRY = {
  git: 'requirements',
  file: 'uc.txt',
  rows: [{ branch: 'master', for: { 'debian-12': ['cp311'] } }],
};
const NATIVE = 'skiff-1.0-cp311-cp311-linux_x86_64.whl';
const PURE = 'skiff-1.0-py3-none-any.whl';
const [OLD, NEW] = [digest('1'), digest('2')];
const SOURCE = `sha256:${DIGEST}` as const;
const FROM: OurWheel['from'] = { source: SOURCE, lock: null, base: OLD };

interface Said {
  readonly ours?: Partial<OurWheel> & { readonly file: string };
  readonly bases?: Rebuilds['bases'];
  readonly confirmed?: Rebuilds['confirmed'];
  readonly epochs?: Setting['epochs'];
}

function imported({ ours = { file: NATIVE }, bases = {}, confirmed = {}, epochs = {} }: Said) {
  return importLists(ENTRY, {
    branches: { master: { 'uc.txt': 'skiff==1.0\n' } },
    index: { skiff: ['skiff-1.0.tar.gz'] },
    ours: { 'debian-12': [{ from: FROM, links: { 'libre2.so.9': ['RE2_9'] }, ...ours }] },
    rebuilds: { bases, confirmed },
    epochs,
  });
}

const LOST = { [OLD]: { now: NEW, lost: { 'libre2.so.9': [] } } };
const AGAIN = { [digest('a')]: [{ source: SOURCE, base: NEW, epoch: 0 }] };

test.each<[string, Said, string]>([
  ['a newer base that lacks nothing', { bases: { [OLD]: { now: NEW, lost: {} } } }, 'here'],
  [
    'a newer base that lacks a library which it does not link',
    { bases: LOST, ours: { file: NATIVE, links: {} } },
    'here',
  ],
  [
    'a newer base, and its links are not known',
    { bases: LOST, ours: { file: NATIVE, links: undefined as never } },
    'here',
  ],
  [
    'a newer base that lacks a library which it links',
    { bases: LOST },
    'it links libre2.so.9, which the newest base of debian-12 lacks',
  ],
  [
    'a newer base that lacks a symbol version which it needs',
    { bases: { [OLD]: { now: NEW, lost: { 'libre2.so.9': ['RE2_9'] } } } },
    'it links RE2_9 of libre2.so.9, which',
  ],
  ['a base of another line', { bases: { [digest('3')]: LOST[OLD]! } }, 'here'],
  ['a build in the newest base that gave its bytes again', { bases: LOST, confirmed: AGAIN }, 'here'],
  ['an epoch of another entry', { epochs: { 'wheels/skiff-1.1': 1, sources: 2 } }, 'here'],
  ['an epoch that was raised', { epochs: { 'wheels/skiff-1.0': 1 } }, '`epochs` is raised from 0 to 1'],
  ['an epoch of all wheels', { epochs: { wheels: 2 } }, '`epochs` is raised from 0 to 2'],
  ['the epoch that it was built with', { epochs: { wheels: 2 }, ours: { file: NATIVE, epoch: 2 } }, 'here'],
  [
    'an epoch under which a build gave its bytes again',
    { epochs: { wheels: 2 }, confirmed: { [digest('a')]: [{ source: SOURCE, base: OLD, epoch: 2 }] } },
    'here',
  ],
  ['another sdist', { ours: { file: NATIVE, from: { ...FROM, source: digest('9') } } }, 'ours was built from another'],
  [
    'another sdist that gave its bytes again',
    {
      ours: { file: NATIVE, from: { ...FROM, source: digest('9') } },
      confirmed: { [digest('a')]: [{ source: SOURCE, base: OLD, epoch: 0 }] },
    },
    'here',
  ],
  ['a newer base, and it is pure', { bases: LOST, ours: { file: PURE, links: {} } }, 'here'],
])('given a listed wheel and %s, then the row says so', (_, said, text) => {
  const [row] = rowTexts(imported(said));
  expect(row).toContain(text === 'here' ? ': here: ' : `: build: ${text}`);
});

test.each([
  [NATIVE, 1],
  ['skiff-1.0-4-cp311-cp311-linux_x86_64.whl', 5],
])('given %s that is due, then its build has the listed bytes and the next number %i', (file, build) => {
  const { entries } = imported({ ours: { file }, epochs: { wheels: 1 } });
  const wheel = entries.find(({ section }) => section !== 'sources');
  expect(wheel?.entry['again']).toEqual([{ platform: 'debian-12', python: 'cp311', file, digest: digest('a'), build }]);
});

test('given two platforms whose listed wheels have other numbers, then both builds get one that is free on both', () => {
  const { entries } = importLists(
    { ...ENTRY, rows: [{ branch: 'master', for: { 'debian-12': ['cp311'], 'debian-13': ['cp313'] } }] },
    {
      branches: { master: { 'uc.txt': 'skiff==1.0\n' } },
      index: { skiff: ['skiff-1.0.tar.gz'] },
      ours: { 'debian-12': [PURE], 'debian-13': ['skiff-1.0-2-py3-none-any.whl'] },
      epochs: { wheels: 1 },
    },
  );
  const wheel = entries.find(({ section }) => section !== 'sources');
  expect((wheel!.entry['again'] as { build: number }[]).map(({ build }) => build)).toEqual([3, 3]);
});
