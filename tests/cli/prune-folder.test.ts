/** @needs tools */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keysFolder } from '../../src/adapters/home-keys/open.js';
import { makeHomeKeys } from '../../src/adapters/home-keys/make.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import { NO_PAST } from '../../src/adapters/facts/index.js';
import { sha256 } from '../../src/adapters/sha256.js';
import { openPrune } from '../../src/cli/cache/open-prune.js';
import { cache } from '../../src/cli/commands/cache.js';
import type { Ports } from '../../src/cli/ports.js';
import type { FolderPruneOrder } from '../../src/model/folder-prune.js';
import type { SlipwayFailure } from '../../src/model/failure.js';
import { records } from '../../src/model/run-folder.js';
import { aWheel, wheelName } from '../support/a-wheel.js';
import { aWheelList, LISTED, sdist, type WheelListWorld } from '../support/a-wheel-list.js';
import { fakeIo } from './fake-ports.js';

const DAY_MS = 86_400_000;
let world: WheelListWorld;
let folder: string;
beforeEach(async () => {
  world = await aWheelList(`${LISTED}prune: { cache: {} }\n`);
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-house-')));
  world.commit('skiff==1.0\noars==2.0\nhull==3.0\n');
  world.index.project('skiff', [sdist('skiff-1.0.tar.gz')]);
  makeHomeKeys(keysFolder(process.env, join(world.folder, 'home')));
});
afterEach(async () => {
  await world.end();
  rmSync(folder, { recursive: true, force: true });
});

const wheel = (project: string, version: string): string => wheelName({ project, version, python: 'py3' });

/** Puts a wheel into the folder. Returns its digest, 64 hex digits. */
async function put(project: string, version: string, days = 200): Promise<string> {
  const content = await aWheel({ project, version, python: 'py3' });
  const path = join(folder, wheel(project, version));
  writeFileSync(path, content);
  const then = new Date(Date.now() - days * DAY_MS);
  utimesSync(path, then, then);
  return sha256(content as unknown as string).slice('sha256:'.length);
}

const store = () => createDirectoryStore(join(world.folder, 'store'));

/** Types `slipway cache prune FILE --folder DIR`. */
async function typed(options: Readonly<Record<string, string | boolean | undefined>> = {}) {
  const io = fakeIo();
  const ports = {
    env: { USER: 'ann' },
    prune: (...asked) =>
      openPrune(...asked, {
        ...{ env: process.env, home: join(world.folder, 'home'), store: async () => store(), features: NO_PAST },
        writer: () => Promise.reject(new Error('a folder has no writer')),
        address: async (text) => text,
      }),
  } satisfies Partial<Ports>;
  const input = { args: { action: 'prune', file: world.file }, options: { profile: 'local', folder, ...options } };
  const code = await cache.run(input, io, ports as unknown as Ports).catch((error: SlipwayFailure) => error.first.code);
  return { code, text: io.printed.join('\n') };
}

const filesIn = (): readonly string[] => readdirSync(folder).sort();

async function aHouse() {
  const same = await put('hull', '3.0');
  await put('oars', '2.0');
  await put('skiff', '1.0');
  await put('mast', '9.0');
  await put('keel', '9.0', 10);
  writeFileSync(
    join(folder, wheel('torn', '1.0')),
    (await aWheel({ project: 'torn', version: '1.0' })).subarray(0, 99),
  );
  world.index.project('hull', [{ filename: wheel('hull', '3.0'), hashes: { sha256: same }, size: 7 }]);
  world.index.project('oars', [{ filename: wheel('oars', '2.0'), hashes: { sha256: 'b'.repeat(64) }, size: 7 }]);
  symlinkSync(world.file, join(folder, wheel('link', '1.0')));
  execFileSync('mkfifo', [join(folder, wheel('pipe', '1.0'))]);
  writeFileSync(join(folder, 'raft-1.0-py3-none-any.whl\nTo remove  nothing'), 'x');
}

test('given a foreign folder, when its review is applied, then candidates by name and digest leave, one that changed meanwhile stays, and the order is stored', async () => {
  await aHouse();
  const before = filesIn();
  const shown = await typed();
  expect(shown.code).toBe(0);
  expect(filesIn()).toEqual(before);
  for (const line of [
    /To remove {2}4 wheels/,
    /hull-3\.0-py3-none-any\.whl .* upstream has it now: the same bytes/,
    /oars-2\.0-py3-none-any\.whl .* upstream has it now: other bytes under this name/,
    /mast-9\.0-py3-none-any\.whl .* nobody asks: no list wants this version/,
    /torn-1\.0-py3-none-any\.whl .* broken: it is no zip archive, or it is cut off/,
    /1 +a list asks for it/,
    /1 +it is new/,
    /2 +it is a link or a special file/,
    /1 +its name is no wheel/,
  ])
    expect(shown.text).toMatch(line);
  expect(shown.text).not.toMatch(/^To remove {2}nothing/m);
  const digest = /--apply (sha256:\w+)/.exec(shown.text)![1]!;

  await put('mast', '9.0', 1);
  const applied = await typed({ apply: digest, reason: 'autumn', json: true });
  const { record, left } = JSON.parse(applied.text) as { record: string; left: readonly object[] };
  expect([applied.code, left]).toEqual([0, []]);
  expect(before.filter((file) => !filesIn().includes(file))).toEqual(
    [wheel('hull', '3.0'), wheel('oars', '2.0'), wheel('torn', '1.0')].sort(),
  );
  expect(existsSync(world.file)).toBe(true);
  expect(record).toBe(records.folderPrunes('boats', 1));
  expect(await store().read<FolderPruneOrder>(record)).toMatchObject({
    ...{ kind: 'folder prune order', by: 'ann', because: 'autumn', review: digest, path: folder },
    remove: [{ file: wheel('hull', '3.0') }, { file: wheel('oars', '2.0') }, { file: wheel('torn', '1.0') }],
    stay: [{ file: `./${wheel('mast', '9.0')}`, because: 'it is new' }],
  });
});

test('given the review of another folder, then it is refused, and nothing is removed', async () => {
  await put('mast', '9.0');
  world.index.project('hull', []);
  const { text } = await typed({ json: true });
  const other = join(world.folder, 'other');
  mkdirSync(other);
  writeFileSync(join(other, wheel('mast', '9.0')), await aWheel({ project: 'mast', version: '9.0', python: 'py3' }));
  const { digest } = JSON.parse(text) as { digest: string };
  expect((await typed({ folder: other, apply: digest })).code).toBe('PRUNE_REVIEW_STALE');
  expect(readdirSync(other)).toHaveLength(1);
});

test('given a home without the control key, then an order is refused before anything is removed', async () => {
  await put('mast', '9.0');
  const { text } = await typed({ json: true });
  const { digest } = JSON.parse(text) as { digest: string };
  process.env['SLIPWAY_KEYS'] = join(world.folder, 'no-keys');
  expect((await typed({ apply: digest })).code).toBe('PRUNE_UNSIGNED');
  expect(filesIn()).toEqual([wheel('mast', '9.0')]);
});

test('given a home without the control key, then an order to an index is refused before its writer is asked', async () => {
  process.env['SLIPWAY_KEYS'] = join(world.folder, 'no-keys');
  const index = { folder: undefined, log: join(world.folder, 'access.log') };
  writeFileSync(index.log, '192.0.2.7 - - [26/Nov/2025:18:00:00 +0000] "GET / HTTP/1.1" 200 10 "-" "pip/26.1"\n');
  const { digest } = JSON.parse((await typed({ ...index, json: true })).text) as { digest: string };
  expect((await typed({ ...index, apply: digest })).code).toBe('PRUNE_UNSIGNED');
});

test.each([
  ['an absent folder', { folder: 'nowhere' }, 'WHEELHOUSE_UNREADABLE'],
  ['an access log', { log: 'access.log' }, 'PRUNE_FOLDER_LOG'],
  ['an unknown review', { apply: `sha256:${'0'.repeat(64)}` }, 'PRUNE_REVIEW_UNKNOWN'],
])('given %s, then the failure is coded', async (_what, options, code) => {
  expect((await typed(options)).code).toBe(code);
});
