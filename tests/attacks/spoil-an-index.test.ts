/** @slow */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { drawPages } from '../../src/activities/index/draw-pages.js';
import { makeBodies } from '../../src/activities/kind-bodies.js';
import { createTargets } from '../../src/adapters/targets.js';
import { MOST_NAMES, requestsFault } from '../../src/model/index-writer.js';
import { indexPaths } from '../../src/model/python/index-entry.js';
import { aFolder, listedIn, newRoot, PLATFORM, put, snapshot, wheel } from '../activities/index/an-index.js';
import { aTarget, codesOf } from '../activities/publish/release.js';
import { startServer, type Answers, type OwnServer } from '../adapters/http/a-server.js';
import { anEntry, digest } from '../engine/index/an-entry.js';
import { aStep, newHome, runBody } from '../support/run-body.js';

describe('a local user asks the writer of an index for names that are paths', () => {
  const asking = (...names: readonly string[]): string | null =>
    requestsFault([{ plan: digest('a'), step: 'publish/cache', run: 'a-run', names }]);

  test.each([
    ...['../boat', './boat', '.git/boat', `${PLATFORM}/..`, `${PLATFORM}/.`, `${PLATFORM}/.tmp`, `${PLATFORM}/`],
    ...['/boat', `${PLATFORM}/boat/..`, `${PLATFORM}\\boat`, `${PLATFORM}/bo at`, `${PLATFORM}/boat\n`],
    ...[`${PLATFORM}/boat\u0000`, `${PLATFORM}/%2e%2e`, `${PLATFORM}/${'x'.repeat(300)}`, ''],
  ])('given %j, then the request is refused', (name) => {
    expect(asking(`${PLATFORM}/boat`, name)).toContain('is no PLATFORM/PROJECT');
  });

  test('given a platform and a normal name in any script, then it is taken, and too many are not', () => {
    expect(asking(`${PLATFORM}/ruamel-yaml`, 'linux-x86_64/böt', 'macos-11.0/0')).toBeNull();
    expect(asking(...Array.from({ length: MOST_NAMES + 1 }, () => `${PLATFORM}/boat`))).toContain('more than');
  });

  test('given names that nobody published, when they are drawn, then no file is made', async () => {
    const { root, place } = aFolder();
    await put(place, wheel('boat', '1'));
    await drawPages(place, PLATFORM, ['boat']);
    const before = snapshot(root);
    expect(await drawPages(place, PLATFORM, ['nobody', 'constructor'])).toEqual([]);
    expect(await drawPages(place, 'elsewhere', ['boat'])).toEqual([]);
    expect(snapshot(root)).toEqual(before);
  });
});

const FILE = wheel('boat', '1');
const OTHER = wheel('boat', '2');
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const text = JSON.stringify(anEntry(FILE));

describe('a record of an index is not as its writer left it', () => {
  test.each([
    ['nests deeply', text.replace('"distro-wheels"', nested(200_000))],
    ['nests in what it was built from', text.replace('"lock":null', `"lock":${nested(20_000)}`)],
    ['has more than a megabyte', text.replace('{', `{${' '.repeat(2 ** 20)}`)],
    ['names other things than digests', text.replace('"base":null', '"base":"sha256:x"')],
    ['has a day that the calendar lacks', text.replace(/2026-11-22T/, '2026-02-30T')],
    ['has an hour that the day lacks', text.replace(/T10:/, 'T25:')],
    ['is empty', ''],
    ['is binary', '\u0000\u0001\u0002'],
  ])('given one that %s, then it is a finding with its path, and others are listed', async (_, content) => {
    const { root, place } = aFolder();
    for (const file of [FILE, OTHER]) await put(place, file);
    const path = indexPaths.entry(PLATFORM, 'boat', FILE);
    writeFileSync(join(root, path), content);
    expect(await drawPages(place, PLATFORM, ['boat'])).toMatchObject([{ code: 'INDEX_ENTRY_DAMAGED', subject: path }]);
    expect(listedIn(root, 'boat')).toEqual([OTHER]);
  });

  test('given one with keys of prototypes, then neither pages nor roll-up have them, and nothing is polluted', async () => {
    const { root, place } = aFolder();
    for (const file of [FILE, OTHER]) await put(place, file);
    const hostile = text.replace('{', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},');
    writeFileSync(join(root, indexPaths.entry(PLATFORM, 'boat', FILE)), hostile);
    expect(await drawPages(place, PLATFORM, ['boat'])).toEqual([]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    const drawn = readFileSync(join(root, indexPaths.rollup(PLATFORM)), 'utf8');
    expect(drawn).not.toMatch(/polluted|__proto__/);
  });

  test.each([
    ['nests deeply', (rows: string) => rows.replace('"distro-wheels"', nested(200_000))],
    [
      'has a yank that is no text',
      (rows: string) => rows.replace('"slipway":1,"file"', '"yanked":{"a":1},"slipway":1,"file"'),
    ],
    ['is a list', () => '[]'],
    ['names projects like prototypes', () => '{"slipway":1,"files":[{"file":"__proto__-1-py3-none-any.whl"},null,7]}'],
  ])('given a roll-up that %s, when another project is drawn, then it is whole again', async (_, damage) => {
    const { root, place } = aFolder();
    for (const file of [FILE, wheel('skiff', '1')]) await put(place, file);
    await drawPages(place, PLATFORM, ['boat', 'skiff']);
    const path = join(root, indexPaths.rollup(PLATFORM));
    const whole = readFileSync(path, 'utf8');
    writeFileSync(path, damage(whole));
    await drawPages(place, PLATFORM, ['skiff']);
    expect(readFileSync(path, 'utf8')).toBe(whole);
  });
});

describe('a path of an index is a link, a pipe or a device', () => {
  const MADE: readonly (readonly [string, (at: string, canary: string) => void])[] = [
    ['a link to a file of the home', (at, canary) => symlinkSync(canary, at)],
    ['a link to nothing', (at) => symlinkSync('/nowhere/at/all', at)],
    ['a link to a device without an end', (at) => symlinkSync('/dev/zero', at)],
    ['a pipe that nobody writes', (at) => execFileSync('mkfifo', [at])],
    ['a folder', (at) => mkdirSync(at)],
  ];
  async function spoilt(path: string, make: (typeof MADE)[number][1]) {
    const { root, place } = aFolder();
    for (const file of [FILE, OTHER]) await put(place, file);
    const canary = join(newRoot(), 'canary');
    writeFileSync(canary, 'of the home');
    const at = join(root, path);
    mkdirSync(dirname(at), { recursive: true });
    rmSync(at, { force: true });
    make(at, canary);
    return { root, place, canary };
  }
  const refused = { problems: [{ code: 'INDEX_NOT_A_FILE', class: 'config' }] };

  test.each(MADE)(
    'given %s as a page, then drawing ends with its path, and nothing is written through it',
    async (_, make) => {
      const { place, canary } = await spoilt(indexPaths.page(PLATFORM, 'boat', 'json'), make);
      await expect(drawPages(place, PLATFORM, ['boat'])).rejects.toMatchObject(refused);
      expect(readFileSync(canary, 'utf8')).toBe('of the home');
    },
  );

  test.each(MADE)('given %s as an entry, then its wheel is not listed, and others are', async (_, make) => {
    const { root, place } = await spoilt(indexPaths.entry(PLATFORM, 'boat', FILE), make);
    await drawPages(place, PLATFORM, ['boat']);
    expect(listedIn(root, 'boat')).toEqual([OTHER]);
  });

  test.each(MADE)('given %s as a wheel, then no digest is taken of it, and no page names it', async (_, make) => {
    const path = indexPaths.file(PLATFORM, 'boat', FILE);
    const { root, place } = await spoilt(path, make);
    await expect(place.digest(path)).rejects.toMatchObject(refused);
    expect(await drawPages(place, PLATFORM, ['boat'])).toMatchObject([{ code: 'INDEX_FILE_ABSENT' }]);
    expect(listedIn(root, 'boat')).toEqual([OTHER]);
  });

  test('given a removal that is a link, then the wheel stays listed', async () => {
    const { root, place } = await spoilt(`${PLATFORM}/gone/boat/${FILE}.json`, (at, canary) => symlinkSync(canary, at));
    await drawPages(place, PLATFORM, ['boat']);
    expect(listedIn(root, 'boat')).toHaveLength(2);
    unlinkSync(join(root, `${PLATFORM}/gone/boat/${FILE}.json`));
  });
});

test('given a wheel that its source named like another project, when it is to be listed, then it is refused', () => {
  const to = {
    ...aTarget({ name: 'cache', kind: 'simple', address: newRoot() }),
    staging: null,
    secrets: {},
    version: '1',
  };
  const extra = { kind: 'simple' as const, reads: null, endpoint: null };
  const target = createTargets().open({ ...to, extra }, {} as never);
  const artifact = (name: string) => ({
    digest: digest('a'),
    kind: 'wheel' as const,
    name,
    size: 1,
    labels: { project: 'Boat.Core' },
  });
  expect(target.items(artifact('boat_core-1-py3-none-any.whl'), [PLATFORM])).toHaveLength(1);
  const thrown = (): unknown => target.items(artifact('pip-99-py3-none-any.whl'), [PLATFORM]);
  expect(thrown).toThrow(expect.objectContaining({ first: expect.objectContaining({ code: 'INDEX_NAME_OF_OTHER' }) }));
});

describe('the address that reads an index answers what it is asked, or leads elsewhere', () => {
  let server: OwnServer;
  let other: OwnServer;
  beforeEach(async () => {
    [server, other] = [await startServer(), await startServer((_, answer) => void answer.end('elsewhere'))];
  });
  afterEach(() => Promise.all([server.stop(), other.stop()]));

  const toward =
    (location: string): Answers =>
    (_, answer) =>
      void answer.writeHead(302, { location }).end();

  test.each<[string, () => Answers, string]>([
    [
      'repeats the path',
      () =>
        ({ url }, answer) =>
          void answer.end(url.slice(1)),
      'INDEX_NOT_SERVED',
    ],
    ['leads to another server', () => toward(other.address), 'INDEX_NOT_SERVED'],
    ['leads to itself for ever', () => toward(server.address), 'TARGET_UNREACHABLE'],
    ['leads to a file of this machine', () => toward('file:///etc/hostname'), 'TARGET_UNREACHABLE'],
    ['never ends', () => (_, answer) => void answer.write('x'.repeat(2 ** 25 + 1)), 'ANSWER_TOO_LARGE'],
  ])('given one that %s, then nothing is built, and nothing is left in the folder', async (_, answers, code) => {
    server.answers = answers();
    const root = newRoot();
    const extra = { kind: 'simple' as const, reads: `${server.address}/`, endpoint: null };
    const target = aTarget({ name: 'cache', kind: 'simple', address: root, extra });
    const { proveTarget } = makeBodies(['proveTarget'], { targets: createTargets(), images: null });
    const params = { target, project: 'x', version: '1', tags: [] };
    const proved = runBody(proveTarget, aStep('proveTarget', params), { home: await newHome() });
    expect(await proved.then(() => 'proved', codesOf)).toEqual([code]);
    expect(readdirSync(join(root, 'proof'))).toEqual([]);
  });
});
