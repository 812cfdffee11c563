/** @long @needs registries temporal tools */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { checkIndex } from '../../src/activities/index/check-index.js';
import { drawPages } from '../../src/activities/index/draw-pages.js';
import { readOrder } from '../../src/activities/index/read-order.js';
import { createKeepStatus } from '../../src/activities/report/keep-status.js';
import { createWritePages } from '../../src/activities/index/write-pages.js';
import { NO_PAST, once } from '../../src/adapters/facts/index.js';
import { makeHomeKeys } from '../../src/adapters/home-keys/make.js';
import { openHomeKeys, keysFolder } from '../../src/adapters/home-keys/open.js';
import { provedStore } from '../../src/adapters/home-keys/proved-store.js';
import { toolsBin } from '../../src/adapters/home.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import { createIndexWriter } from '../../src/adapters/temporal/index-writer.js';
import { openFolder } from '../../src/adapters/static-index/folder.js';
import { createTargets } from '../../src/adapters/targets.js';
import { openPrune } from '../../src/cli/cache/open-prune.js';
import { cachePrune } from '../../src/cli/cache/prune.js';
import type { Ports } from '../../src/cli/ports.js';
import type { Defect } from '../../src/engine/index/check.js';
import { canonical } from '../../src/model/json.js';
import type { RunStatus } from '../../src/model/messages.js';
import { indexPaths } from '../../src/model/python/index-entry.js';
import type { PruneReview } from '../../src/model/index-prune.js';
import { putWheel } from '../activities/index/a-sound-index.js';
import { listedIn, PLATFORM } from '../activities/index/an-index.js';
import { codesOf } from '../activities/publish/release.js';
import { startPythonIndex, type PythonIndex } from '../doubles/python-index.js';
import { wheelName } from '../support/a-wheel.js';
import { startWheelIndex } from '../support/registries.js';
import { aPlan } from '../support/run-body.js';
import { bundleWorkflows, startTemporal } from '../temporal-env.js';
import { indexWorker } from '../workflows/index-worker.js';
import { fakeIo } from './fake-ports.js';

const DAY_MS = 86_400_000;
const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);
const run = promisify(execFile);

const FILE = `
slipway: 1
pipeline: { name: boats, label: X1 }
platforms:
  ${PLATFORM}: { like: linux-x86_64, libc: '2.36' }
wheels:
  asked:
    import: wheel-list
    wants: ['boat==1.0', 'skiff==1.0']
    for: { ${PLATFORM}: [cp311] }
publish:
  cache: { kind: simple, files: ['wheels/*'], when: built }
prune:
  cache: {}
`;

const before = { ...process.env };
let env: TestWorkflowEnvironment;
let bundle: { code: string };
let home: string;
let upstream: PythonIndex;
let index: Awaited<ReturnType<typeof startWheelIndex>>;
beforeAll(async () => {
  [env, bundle] = await Promise.all([startTemporal(), bundleWorkflows()]);
});
afterAll(() => env.teardown());
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'slipway-prune-'));
  [upstream, index] = await Promise.all([startPythonIndex(), startWheelIndex(join(home, 'nginx'))]);
  for (const name of Object.keys(process.env)) if (/^PIP_|_proxy$/i.test(name)) delete process.env[name];
  Object.assign(process.env, { SLIPWAY_HOME: home, HOME: home, PIP_CONFIG_FILE: join(home, 'pip.conf') });
  writeFileSync(join(home, 'pip.conf'), `[global]\nindex-url = ${upstream.address}\n`);
  writeFileSync(join(home, 'slipway.yaml'), FILE);
  mkdirSync(join(home, 'profiles'));
  const target = { kind: 'simple', address: index.root, reads: index.address };
  writeFileSync(join(home, 'profiles/live.yaml'), JSON.stringify({ rehearsal: false, targets: { cache: target } }));
  makeHomeKeys(keysFolder(process.env, home));
});
afterEach(async () => {
  process.env = { ...before };
  await Promise.all([upstream.stop(), index.stop()]);
  rmSync(home, { recursive: true, force: true });
});

const wheel = (project: string, version = '1.0'): string => wheelName({ project, version, python: 'py3' });

/** An index whose wheels were published 200 days ago. */
async function publish(wheels: readonly (readonly [project: string, version?: string])[]): Promise<void> {
  const uploadTime = ago(200).toISOString().replace('Z', '000Z');
  for (const [project, version = '1.0'] of wheels)
    await putWheel(index.root, project, version, { uploadTime, publisher: 'boats' });
  await drawPages(openFolder('cache', index.root), PLATFORM, [...new Set(wheels.map(([project]) => project))]);
}

/** Defects for which `slipway cache check` ends with 1. */
const defects = async (): Promise<readonly Defect[]> =>
  (await checkIndex(openFolder('cache', index.root))).defects.filter(({ level }) => level !== 'note');

/** A made access log of 90 days and more, in the combined format, rotated to yesterday. */
function writeLog(fetched: Readonly<Record<string, number>>): string {
  const line = (days: number, path: string): string => {
    const [, day, month, year, time] = ago(days).toUTCString().split(' ');
    return `192.0.2.7 - - [${day}/${month}/${year}:${time} +0000] "GET ${path} HTTP/1.1" 200 10 "-" "pip/26.1"`;
  };
  const hits = Object.entries(fetched).map(
    ([file, days]) => [days, `/${PLATFORM}/files/${file.split('-')[0]}/${file}`] as const,
  );
  const idle = Array.from({ length: 100 }, (_, at) => [100 - at, '/'] as const);
  const all = [...idle, ...hits, [0.01, '/'] as const].toSorted(([a], [b]) => b - a);
  const log = join(home, 'nginx/access.log');
  writeFileSync(`${log}.1`, `${all.map(([days, path]) => line(days, path)).join('\n')}\n`);
  return log;
}

const storeHere = () =>
  provedStore(createDirectoryStore(join(home, 'store')), openHomeKeys(keysFolder(process.env, home)));

/** Serves the writer, whose clock is ahead by `aheadMs`, while `body` runs. */
function serving<T>(body: () => Promise<T>, aheadMs = () => 0): Promise<T> {
  const store = storeHere();
  const writePages = createWritePages({
    planOf: () => Promise.reject(new Error('no plans')),
    connect: () => Promise.reject(new Error('no plans')),
    targets: createTargets(),
    orders: {
      read: (record) => readOrder(store, record, Date.now()),
      connect: async ({ target }) => ({
        ...{ ...target, extra: target.extra ?? null },
        ...{ staging: null, secrets: {}, version: '1' },
      }),
    },
    now: () => Date.now() + aheadMs(),
  });
  return indexWorker(env, bundle, body, writePages);
}

/** Types `slipway cache prune`. Returns what `--json` prints. */
async function prune<T>(options: Readonly<Record<string, string>>): Promise<T> {
  const io = fakeIo();
  const ports = {
    env: { USER: 'ann' },
    prune: (file, ask, given) =>
      openPrune(file, ask, given, {
        ...{ env: process.env, home, features: NO_PAST, store: async () => createDirectoryStore(join(home, 'store')) },
        writer: async () => ({ writer: createIndexWriter(env.client), close: async () => undefined }),
        address: async (text) => text,
      }),
  } satisfies Partial<Ports>;
  const input = {
    args: { action: 'prune', file: join(home, 'slipway.yaml') },
    options: { profile: 'live', json: true, ...options },
  };
  await cachePrune(input, io, ports as unknown as Ports);
  return JSON.parse(io.printed.join('\n')) as T;
}

interface Proposed {
  readonly digest: string;
  readonly review: PruneReview;
  readonly stay: Readonly<Record<string, string>>;
  readonly due: readonly string[];
}
interface Applied {
  readonly order: {
    readonly remove: readonly { readonly file: string }[];
    readonly stay: readonly { readonly file: string; readonly because: string }[];
  };
}

const pipTakes = async (project: string): Promise<boolean> => {
  const options = ['--no-deps', '--no-cache-dir', '--disable-pip-version-check', '--dest', join(home, 'got')];
  const address = `${index.address}${PLATFORM}/simple/`;
  return run(join(toolsBin(), 'python'), [
    '-m',
    'pip',
    'download',
    '-q',
    '--index-url',
    address,
    ...options,
    project,
  ]).then(
    () => true,
    () => false,
  );
};

const filesIn = (project: string): readonly string[] =>
  readdirSync(join(index.root, PLATFORM, 'files', project)).filter((name) => name.endsWith('.whl'));

const page = (file: string) => ({ filename: file, hashes: { sha256: 'a'.repeat(64) }, size: 7 });

test('given 90 days of an access log and the lists of today, when a review is applied after one candidate was fetched, then that one stays, the others leave pages at once and the disk after the grace, and the index is sound all the time', async () => {
  await publish([['boat'], ['skiff'], ['oars'], ['hull'], ['mast']]);
  upstream.project('boat', [page('boat-1.0-py3-none-any.whl')]);
  upstream.project('skiff', [page('skiff-1.0.tar.gz')]);
  const log = writeLog({ [wheel('mast')]: 30 });
  let aheadMs = 0;
  await serving(
    async () => {
      const { digest, review, stay } = await prune<Proposed>({ log });
      expect(review.candidates.map(({ file, reason }) => [file, reason])).toEqual([
        [wheel('boat'), 'upstream has it now'],
        [wheel('hull'), 'nobody asks'],
        [wheel('oars'), 'nobody asks'],
      ]);
      expect(stay).toMatchObject({
        [`${PLATFORM}/${wheel('mast')}`]: 'it was fetched lately',
        [`${PLATFORM}/${wheel('skiff')}`]: expect.stringContaining('a list asks for it') as string,
      });
      expect(['boat', 'oars', 'hull'].map((project) => listedIn(index.root, project).length)).toEqual([1, 1, 1]);
      expect(await defects()).toEqual([]);

      expect(await pipTakes('oars')).toBe(true);
      const { order } = await prune<Applied>({ log, apply: digest, reason: 'autumn' });
      expect(order.remove.map(({ file }) => file)).toEqual([wheel('boat'), wheel('hull')]);
      expect(order.stay).toEqual([{ file: `${PLATFORM}/${wheel('oars')}`, because: 'it was fetched lately' }]);
      expect(await Promise.all(['boat', 'hull', 'oars', 'skiff'].map(pipTakes))).toEqual([false, false, true, true]);
      expect([filesIn('boat').length, filesIn('hull').length]).toEqual([1, 1]);
      expect(await defects()).toEqual([]);

      aheadMs = 8 * DAY_MS;
      const again = await prune<Proposed>({ log });
      expect([again.review.candidates, again.due.length]).toEqual([[], 2]);
      await prune({ log, apply: again.digest });
      expect([filesIn('boat'), filesIn('hull'), filesIn('oars').length]).toEqual([[], [], 1]);
      expect(await defects()).toEqual([]);
    },
    () => aheadMs,
  );
});

test('given a review, when the keys of `prune` changed or it is unknown, then it is refused, and nothing is removed', async () => {
  await publish([['oars']]);
  upstream.project('boat', [page('boat-1.0-py3-none-any.whl')]);
  upstream.project('skiff', [page('skiff-1.0-py3-none-any.whl')]);
  const log = writeLog({});
  const { digest, review } = await prune<Proposed>({ log });
  expect(review.candidates).toHaveLength(1);
  writeFileSync(join(home, 'slipway.yaml'), FILE.replace('cache: {}', 'cache: { grace: 0d }'));
  expect(await prune({ log, apply: digest }).catch(codesOf)).toEqual(['PRUNE_REVIEW_STALE']);
  expect(
    await prune({ log, apply: digest.replace(/.$/, (last) => (last === '0' ? '1' : '0')) }).catch(codesOf),
  ).toEqual(['PRUNE_REVIEW_UNKNOWN']);
  expect(listedIn(index.root, 'oars')).toHaveLength(1);
});

test('given logs that were rotated away after a review, when the next review is made, then what they said still counts', async () => {
  await publish([['oars'], ['hull']]);
  for (const project of ['boat', 'skiff']) upstream.project(project, [page(`${project}-1.0-py3-none-any.whl`)]);
  const log = writeLog({ [wheel('hull')]: 30 });
  await prune<Proposed>({ log });
  rmSync(`${log}.1`);
  const { review, stay } = await prune<Proposed>({ log });
  expect(review.candidates.map(({ file }) => file)).toEqual([wheel('oars')]);
  expect(stay[`${PLATFORM}/${wheel('hull')}`]).toBe('it was fetched lately');
});

test.each([
  ['wanted one in a run that published nothing', () => 'others asks for it'],
  [
    'has a damaged record of its last run',
    () => {
      const record = join(index.root, indexPaths.refresh(PLATFORM, 'others'));
      mkdirSync(dirname(record), { recursive: true });
      writeFileSync(record, '{');
      return `${indexPaths.refresh(PLATFORM, 'others')} is damaged, and may ask for it`;
    },
  ],
])('given wheels that no list wants, when another pipeline %s, then it stays', async (_, prepare) => {
  await publish([['hull']]);
  for (const project of ['boat', 'skiff']) upstream.project(project, [page(`${project}-1.0-py3-none-any.whl`)]);
  const store = storeHere();
  const rows = {
    slipway: 1,
    rows: { 'wheels/all': [{ subject: `hull==1.0 ${PLATFORM} cp311`, verdict: 'here', reason: '', origin: null }] },
  };
  const { digest } = await store.put(once(canonical(rows)));
  const plan = {
    ...aPlan(),
    release: { name: 'others', version: '1' },
    imports: { facts: digest, rows: digest, of: [] },
  };
  const status = { run: 'one', workflowId: 'pipeline/others-1', plan: digest, startedAt: Date.now(), steps: [] };
  const because = prepare();
  if (because.startsWith('others'))
    await createKeepStatus(
      store,
      () => null as never,
      async () => plan,
    )(status as unknown as RunStatus);
  const { review, stay } = await prune<Proposed>({ log: writeLog({}) });
  expect([review.candidates, stay[`${PLATFORM}/${wheel('hull')}`]]).toEqual([[], because]);
});

test('given an index upstream that is off, when a review is made, then what it has not answered for stays', async () => {
  await publish([['boat'], ['hull']]);
  upstream.answer('boat', (_, response) => void response.writeHead(500).end());
  upstream.project('skiff', [page('skiff-1.0-py3-none-any.whl')]);
  const { review, stay } = await prune<Proposed>({ log: writeLog({}) });
  expect(review.candidates.map(({ file }) => file)).toEqual([wheel('hull')]);
  expect(stay[`${PLATFORM}/${wheel('boat')}`]).toBe('the index upstream has not answered');
});

test.each([
  ['no target under `prune`', (text: string) => text.replace(/prune:\n.*\n/, ''), {}, 'PRUNE_UNDECLARED'],
  ['another target', (text: string) => text, { target: 'other' }, 'PRUNE_UNDECLARED'],
  ['no access log', (text: string) => text, { log: '/nowhere/access.log' }, 'ACCESS_LOG_ABSENT'],
])(
  'given a file and options with %s, when a review is asked for, then the failure is coded',
  async (_, change, options, code) => {
    for (const project of ['boat', 'skiff']) upstream.project(project, [page(`${project}-1.0-py3-none-any.whl`)]);
    writeFileSync(join(home, 'slipway.yaml'), change(FILE));
    expect(await prune(options).catch(codesOf)).toEqual([code]);
  },
);
