import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ListRequest } from '../../src/model/index-writer.js';
import { drawPages } from '../../src/activities/index/draw-pages.js';
import { openFolder } from '../../src/adapters/static-index/folder.js';
import { indexOpener } from '../../src/cli/cache/index-opener.js';
import { openIndexes } from '../../src/cli/cache/open-check.js';
import { cache } from '../../src/cli/commands/cache.js';
import { SIDECAR, STATEMENT, indexPaths } from '../../src/model/python/index-entry.js';
import type { SlipwayFailure } from '../../src/model/failure.js';
import type { Store } from '../../src/activities/ports.js';
import { aSoundIndex, mending } from '../activities/index/a-sound-index.js';
import { PLATFORM } from '../activities/index/an-index.js';
import { wheelName } from '../support/a-wheel.js';
import { expectGolden } from '../support/golden.js';
import { fakeIo, fakePorts, fakeStore } from './fake-ports.js';

/** A release file that publishes to the folder, under the profile `here`. */
function aFile(root: string, publish: object = { cache: { kind: 'simple', files: ['wheels/*'], when: 'built' } }) {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-cache-'));
  const file = {
    ...{ slipway: 1, pipeline: { name: 'wheels', label: 'minute' }, platforms: [PLATFORM], pythons: ['cp311'] },
    ...{ sources: { boat: { sdist: 'boat==1.0', sha256: 'a'.repeat(64) } }, wheels: { boat: { source: 'boat' } } },
  };
  mkdirSync(join(folder, 'profiles'));
  writeFileSync(join(folder, 'slipway.yaml'), JSON.stringify({ ...file, publish }));
  const targets = { cache: { kind: 'simple', address: root, reads: 'http://127.0.0.1:8082/' } };
  writeFileSync(join(folder, 'profiles', 'here.yaml'), JSON.stringify({ rehearsal: false, targets }));
  return folder;
}

const PLAN = `sha256:${'1'.repeat(64)}` as const;

/** A store of a home whose run published to the folder. */
function storeOf(root: string): Store {
  const params = { target: { name: 'cache', kind: 'simple', address: root }, of: [], tags: [] };
  const plan = { steps: [{ id: 'publish/cache', kind: 'publishArtifacts', params }] };
  const store = fakeStore({
    'ledger/here/cache/boat/done-1': { run: 'run-1', step: 'publish/cache' },
    'started/run-1': { run: 'run-1', workflowId: 'pipeline/wheels/1', plan: PLAN, at: '2026-11-23T03:00:00Z' },
  });
  return { ...store, has: async () => true, get: async () => textOf(JSON.stringify(plan)) };
}
async function* textOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

async function typed(file: string, options: Record<string, string | boolean> = {}, root = '/nowhere') {
  const io = fakeIo();
  const asked: ListRequest[] = [];
  const list = async (_: string, request: ListRequest) => {
    asked.push(request);
    const projects = request.names.map((name) => name.split('/')[1]!);
    return { findings: await drawPages(openFolder('cache', root), PLATFORM, projects) };
  };
  const here = {
    ...{ open: indexOpener({ env: {}, home: '/nowhere' }), store: async () => storeOf(root), mending },
    writer: async () => ({ writer: { list }, close: async () => undefined }),
    address: async (text: string) => text,
  };
  const ports = { ...fakePorts(), indexes: (path: string, profile: string) => openIndexes(path, profile, here) };
  const input = { args: { action: 'check', file }, options: { profile: 'here', ...options } };
  return cache.run(input, io, ports).then(
    (code) => ({ code, asked, text: io.printed.join('\n') }),
    (error: SlipwayFailure) => ({ code: error.first.code, asked, text: error.first.message }),
  );
}

test('given a sound index, when it is checked, then it says so and exits with 0', async () => {
  const { root } = await aSoundIndex();
  const { code, text } = await typed(aFile(root));
  expect(code).toBe(0);
  expect(text.replaceAll(root, 'ROOT')).toBe('cache  ROOT  3 wheels for 1 platform\nfiles, entries and pages agree');
});

test('given defects, when the index is checked, then each has its path and a next step, and it exits with 1', async () => {
  const { root } = await aSoundIndex();
  const at = (project: string, version: string): string =>
    join(root, indexPaths.file(PLATFORM, project, wheelName({ project, version, python: 'py3' })));
  rmSync(at('boat', '1.0') + SIDECAR);
  writeFileSync(at('skiff', '3.0'), 'other bytes');
  writeFileSync(join(root, PLATFORM, 'files', 'boat', 'notes.txt'), '');
  const folder = aFile(root);
  const { code, text } = await typed(folder);
  expect(code).toBe(1);
  const shown = text.replaceAll(root, 'ROOT').replaceAll(folder, 'FOLDER');
  expectGolden('cli/cache-check.txt', `${shown.replace(/says [0-9a-f]{12}/, 'says SHA256')}\n`);
  const asJson = await typed(aFile(root), { json: true });
  expect(JSON.parse(asJson.text)).toMatchObject([{ target: 'cache', platforms: [PLATFORM], wheels: 3 }]);
});

test('given --repair, then what can be derived is written, the writer draws the pages, and what is left is told', async () => {
  const { root } = await aSoundIndex();
  const at = (project: string, version: string): string =>
    join(root, indexPaths.file(PLATFORM, project, wheelName({ project, version, python: 'py3' })));
  rmSync(at('boat', '1.0') + SIDECAR);
  rmSync(join(root, indexPaths.entry(PLATFORM, 'boat', wheelName({ project: 'boat', version: '2.0', python: 'py3' }))));
  rmSync(join(root, indexPaths.page(PLATFORM, 'skiff', 'html')));
  rmSync(at('skiff', '3.0') + STATEMENT);
  const { code, asked, text } = await typed(aFile(root), { repair: true }, root);
  expect(code).toBe(1);
  expect(text.match(/repaired INDEX_\w+/g)?.sort()).toEqual([
    'repaired INDEX_ENTRY_ABSENT',
    'repaired INDEX_PAGE_ABSENT',
    ...Array.from({ length: 5 }, () => 'repaired INDEX_PAGE_OLD'),
    'repaired INDEX_SIDECAR_ABSENT',
  ]);
  expect(text).toMatch(/warning INDEX_STATEMENT_ABSENT .*\n.*\n1 defect$/);
  expect(asked).toEqual([
    { plan: PLAN, step: 'publish/cache', run: 'run-1', names: [`${PLATFORM}/boat`, `${PLATFORM}/skiff`] },
  ]);
  const again = await typed(aFile(root), { repair: true }, root);
  expect(again.asked).toEqual([]);
});

test('given --repair of an index to which no run published, then nothing is written, and the next step is named', async () => {
  const { root } = await aSoundIndex();
  rmSync(join(root, indexPaths.page(PLATFORM, 'skiff', 'html')));
  const { code, asked } = await typed(aFile(root), { repair: true }, '/another/folder');
  expect([code, asked]).toEqual(['CACHE_NOT_PUBLISHED', []]);
});

test.each([
  ['a file that publishes to no index', {}, {}, /no entry of `publish` has `kind: simple`/],
  ['a profile without the target', undefined, { profile: 'elsewhere' }, /does not say where cache is/],
])('given %s, then CACHE_WITHOUT_INDEX says what to add', async (_, publish, options, said) => {
  const folder = aFile('/nowhere', publish);
  writeFileSync(join(folder, 'profiles', 'elsewhere.yaml'), '{ rehearsal: true }');
  const { code, text } = await typed(folder, options);
  expect([code, text]).toEqual(['CACHE_WITHOUT_INDEX', expect.stringMatching(said)]);
});

test('given a word behind the file, then the command is refused and checks nothing', async () => {
  const io = fakeIo();
  const input = { args: { action: 'check', file: 'slipway.yaml' }, rest: ['other.yaml'], options: {} };
  await expect(cache.run(input, io, fakePorts())).rejects.toMatchObject({ first: { code: 'CACHE_WORD_EXTRA' } });
});
