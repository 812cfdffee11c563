/** @needs services */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openHomeKeys } from '../../src/adapters/home-keys/open.js';
import { makePrivate } from '../../src/adapters/private-home.js';
import { createServices, type Services } from '../../src/services/create-services.js';
import { engineFolder, makeShortFolder, socketOf } from '../../src/services/engine-folder.js';
import { aHome } from '../services/a-home.js';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const modeOf = (path: string): number => lstatSync(path).mode & 0o777;

/** Real services in a home that an older version made, for all to read. */
describe('[M8] another local user reads the home', () => {
  let home: string;
  let services: Services;
  let end: () => Promise<void>;
  const lines: string[] = [];
  let before: Awaited<ReturnType<Services['doctor']>>;

  beforeAll(async () => {
    const made = await aHome();
    home = made.home;
    services = createServices(made.env, ['temporal', 'devpi', 'web', 'staging']);
    end = async () => {
      await services.down({ onLine: () => undefined });
      made.remove();
    };
    mkdirSync(join(home, 'log'), { mode: 0o755 });
    writeFileSync(join(home, 'log', 'old.log'), 'said before\n', { mode: 0o644 });
    chmodSync(home, 0o755);
    before = await services.doctor();
    await services.up({ onLine: (line) => lines.push(line) });
  });
  afterAll(() => end?.());

  test('given an open home before `up`, then the doctor names what is open and what to type', () => {
    expect(before.find(({ name }) => name === 'home')).toMatchObject({
      ok: false,
      detail: expect.stringContaining(`${home} has mode 755`) as string,
      mend: 'slipway up',
    });
  });

  test('when `up` runs, then it narrows the modes and says so, and the doctor is satisfied', async () => {
    expect(lines).toContainEqual(expect.stringContaining(`narrowed ${home}: its mode was 755`));
    const after = await services.doctor();
    expect(after.find(({ name }) => name === 'home')).toMatchObject({ ok: true, detail: `${home} has mode 700` });
  });

  test('when `up` has run, then no folder or file of it is open to others', () => {
    const table = ['.', ...readdirSync(home).sort()].map((name) => [name, modeOf(join(home, name))] as const);
    expect(table.filter(([, mode]) => (mode & 0o077) !== 0)).toEqual([]);
    expect(Object.fromEntries(table)).toMatchObject({
      '.': 0o700,
      temporal: 0o700,
      secrets: 0o700,
      log: 0o700,
      store: 0o700,
    });
  });

  test('when services write database, logs and secrets, then only we can read them', () => {
    const written = ['temporal', 'log', 'secrets'].flatMap((folder) =>
      readdirSync(join(home, folder)).map((name) => join(home, folder, name)),
    );
    const open = written.filter((path) => (modeOf(path) & 0o077) !== 0 && !path.endsWith('old.log'));
    expect(open).toEqual([]);
    expect(written.some((path) => path.endsWith('.db'))).toBe(true);
  });

  (isRoot ? test : test.skip)('when another user reads them, then the system refuses', () => {
    const as = { uid: NOBODY, gid: NOBODY, cwd: '/', encoding: 'utf8' } as const;
    for (const name of ['log/old.log', 'services.json', 'secrets/index-password']) {
      expect(spawnSync('cat', [join(home, name)], as)).toMatchObject({ status: 1, stdout: '' });
    }
  });
});

(isRoot ? describe : describe.skip)('another local user plants a home (needs root)', () => {
  const at = mkdtempSync(join(tmpdir(), 'slipway-planted-'));
  const plant = (path: string): void => {
    const home = join(at, 'home');
    for (const folder of [home, join(home, 'keys')]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(home, 'keys', 'control.key'), 'known to them\n', { mode: 0o600 });
    writeFileSync(join(home, 'roots.json'), '["/"]\n', { mode: 0o600 });
    chownSync(join(at, path), NOBODY, NOBODY);
  };
  afterEach(() => rmSync(join(at, 'home'), { recursive: true }));
  afterAll(() => rmSync(at, { recursive: true }));

  test.each([['home'], ['home/keys'], ['home/keys/control.key'], ['home/roots.json']])(
    'given %s of theirs, then root does not take it over',
    (path) => {
      plant(path);
      expect(() => makePrivate(join(at, 'home'))).toThrow(/HOME_NOT_OURS.*belongs to user 65534/);
    },
  );

  test.each([['home/keys'], ['home/keys/control.key']])('given %s of theirs, then root reads no key there', (path) => {
    plant(path);
    expect(() => openHomeKeys(join(at, 'home', 'keys'))).toThrow(/HOME_KEY_NOT_OURS/);
  });
});

describe('[L] another local user creates the folder of the engine’s sockets first', () => {
  const long = join(mkdtempSync(join(tmpdir(), 'slipway-home-')), 'a'.repeat(80));
  const made: string[] = [long];
  afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

  test("given a home, then the folder's name is random, and the same each time", () => {
    mkdirSync(long, { mode: 0o700 });
    const folder = engineFolder(long);
    made.push(folder);
    expect(engineFolder(long)).toBe(folder);
    const other = join(tmpdir(), 'b'.repeat(80));
    made.push(other, engineFolder(other));
    expect(engineFolder(other)).not.toBe(folder);
    makeShortFolder(folder);
    expect(modeOf(folder)).toBe(0o700);
  });

  test('given a home whose path is too long for a socket, then its registries listen in a folder with a random name', () => {
    // Sockets count bytes: é has two.
    const deep = join(long.slice(0, 30), 'é'.repeat(28));
    mkdirSync(join(deep, 'sockets'), { recursive: true, mode: 0o700 });
    const socket = socketOf(deep, 'registry');
    made.push(dirname(socket));
    expect(Buffer.byteLength(socket)).toBeLessThan(108);
    expect(socketOf(deep, 'registry')).toBe(socket);
    expect(modeOf(dirname(socket))).toBe(0o700);
  });

  test('given a link in its place, even to a folder of ours, then it is refused', () => {
    const folder = engineFolder(long);
    rmSync(folder, { recursive: true });
    symlinkSync('/etc', folder);
    expect(() => makeShortFolder(folder)).toThrow(/ENGINE_FOLDER_TAKEN.*belongs to another user/);
  });
});
