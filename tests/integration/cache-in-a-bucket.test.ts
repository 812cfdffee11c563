/** @long @needs temporal registries sandbox s3 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { indexPaths, SIDECAR } from '../../src/model/python/index-entry.js';
import { aServer, withS3, type Server } from '../adapters/s3-store/a-server.js';
import { JSON_PAGE, startPythonIndex, type PythonIndex } from '../doubles/python-index.js';
import { anSdist } from '../support/an-sdist.js';
import { slipway, type Said } from '../support/own-services.js';
import { startWheelIndex, type TestServer } from '../support/registries.js';
import { until } from '../support/until.js';
import { holding, textsOf } from '../support/canary-texts.js';
import { aWorldWith, everythingTheServerTells, type CanaryWorld } from './a-canary.js';

const PLATFORM = 'debian-12';
const FILE = 'skiff-1.0-py3-none-any.whl';
/** No encoding leaves the secret as it is. */
const KEY = { accessKeyId: `CanaryKey${process.pid}yellow`, secretAccessKey: `Canary+${process.pid}~/x&Zk-secret` };
const CANARIES = [...textsOf(KEY.secretAccessKey), KEY.accessKeyId];
const VARIABLES = { WHEELS_KEY: KEY.accessKeyId, WHEELS_SECRET: KEY.secretAccessKey };

const fileOf = (ends: string): string => `slipway: 1
pipeline: { name: fleet, label: n1 }
platforms: { ${PLATFORM}: { like: linux-x86_64, libc: '2.36'${ends} } }
wheels:
  asked: { import: wheel-list, wants: [skiff], for: { ${PLATFORM}: [cp311] } }
publish:
  cache: { kind: simple, files: ['wheels/*'], when: built }
prune:
  cache: { grace: 1s, past: 1d }
`;

withS3('given an index in a bucket, whose credentials are variables', () => {
  let world: CanaryWorld;
  let upstream: PythonIndex;
  let server: Server;
  let front: TestServer;
  /** Folder of the user: the release file, settings of pip. */
  const user = mkdtempSync(join(tmpdir(), 'slipway-user-'));
  const file = join(user, 'slipway.yaml');
  const told: Said[] = [];
  beforeAll(async () => {
    [upstream, server] = await Promise.all([startPythonIndex(), aServer([], KEY)]);
    const pip = { HOME: user, PIP_CONFIG_FILE: join(user, 'pip.conf'), PIP_INDEX_URL: undefined };
    world = await aWorldWith('unused', { ...pip, ...VARIABLES, AWS_EC2_METADATA_DISABLED: 'true' });
    writeFileSync(join(user, 'pip.conf'), `[global]\nindex-url = ${upstream.address}\n`);
    front = await theFront();
    writeProfile();
    serve('skiff');
  });
  afterAll(async () => {
    await front?.stop();
    await world?.close();
    await server?.remove();
    await upstream?.stop();
  });

  const stored = (): string => join(server.folder, 'data', 'slipway', 'index');

  /** Serves the bucket's files: the server keeps each object as a file. */
  async function theFront(): Promise<TestServer> {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-front-'));
    mkdirSync(stored());
    symlinkSync(stored(), join(folder, 'www'));
    return startWheelIndex(folder);
  }

  function writeProfile(): void {
    const keys = { username: '$WHEELS_KEY', password: '$WHEELS_SECRET' };
    const { endpoint } = server.settings;
    const cache = { kind: 'simple', address: 's3://slipway/index', endpoint, reads: front.address, ...keys };
    mkdirSync(join(user, 'profiles'));
    writeFileSync(join(user, 'profiles/bucket.yaml'), JSON.stringify({ rehearsal: true, targets: { cache } }));
  }

  function serve(name: string): void {
    const [bytes, filename] = [anSdist(name), `${name}-1.0.tar.gz`];
    const hashes = { sha256: createHash('sha256').update(bytes).digest('hex') };
    upstream.answer(name, (_, response) => {
      response.setHeader('content-type', JSON_PAGE);
      const files = [{ filename, url: `../../files/${filename}`, hashes }];
      response.end(JSON.stringify({ meta: { 'api-version': '1.1' }, name, files }));
    });
    upstream.file(filename, (_, response) => void response.end(bytes));
  }

  /** Types a command. Its environment has the credentials of the bucket, and those of nothing else. */
  async function says(args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Said> {
    const said = await slipway(user, [...args, '--profile', 'bucket'], {
      ...{ PATH: process.env['PATH'] ?? '', HOME: user, PIP_CONFIG_FILE: join(user, 'pip.conf') },
      ...{ SLIPWAY_HOME: world.home, TEMPORAL_ADDRESS: world.env.address, AWS_EC2_METADATA_DISABLED: 'true' },
      ...{ ...VARIABLES, ...more },
    });
    told.push(said);
    return said;
  }
  const succeeds = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await says(args);
    expect({ code, stderr, stdout }).toMatchObject({ code: 0 });
    return stdout;
  };
  const countsOf = async (): Promise<object> =>
    (JSON.parse(await succeeds('plan', file, '--json')) as { imports: { of: { counts: object }[] } }).imports.of[0]!
      .counts;

  /** The same without the records of refreshes, and the status drawn from them: the next run writes those. */
  const lasting = (): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(objects()).filter(([path]) => !/\/refreshes\/|\/status\.(json|html)$/.test(path)),
    );

  /** Digests of all objects of a folder, by path. */
  function objects(folder = PLATFORM): Readonly<Record<string, string>> {
    const found = readdirSync(join(stored(), folder), { recursive: true, withFileTypes: true });
    const paths = found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
    const digest = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');
    return Object.fromEntries(paths.sort().map((path) => [path, digest(path)]));
  }
  const at = (path: string): string => join(stored(), path);
  const wheel = indexPaths.file(PLATFORM, 'skiff', FILE);

  test('when a wheel is built and listed, then plan has it as `here`', async () => {
    writeFileSync(file, fileOf(''));
    expect(await countsOf()).toEqual({ build: 1 });
    await succeeds('run', file, '--wait', '--on-hold', 'exit');
    expect(await countsOf()).toEqual({ here: 1 });
    expect(await succeeds('cache', 'check', file)).toContain('files, entries and pages agree');
  });

  test.each([
    ['another secret', { WHEELS_SECRET: 'another' }, 'TARGET_DENIED'],
    ['an unknown user', { WHEELS_KEY: 'nobody' }, 'TARGET_DENIED'],
    ['no variables', { WHEELS_KEY: '', WHEELS_SECRET: '' }, 'INDEX_CREDENTIAL_ABSENT'],
  ])('when the environment of a command has %s, then the commands say so', async (_, variables, code) => {
    for (const args of [
      ['plan', file],
      ['cache', 'check', file],
    ]) {
      const said = await says(args, variables);
      expect(said.code).not.toBe(0);
      expect(said.stdout + said.stderr).toContain(code);
    }
  });

  test('when objects are lost, then check names them, and --repair writes them again', async () => {
    const before = objects();
    rmSync(at(wheel + SIDECAR));
    rmSync(at(indexPaths.page(PLATFORM, 'skiff', 'html')));
    rmSync(at(indexPaths.rollup(PLATFORM)));
    const found = await says(['cache', 'check', file]);
    expect(found.code).toBe(1);
    expect(found.stdout).toMatch(/INDEX_SIDECAR_ABSENT[^]*INDEX_PAGE_ABSENT/);
    expect(await succeeds('cache', 'check', file, '--repair')).toContain('repaired INDEX_SIDECAR_ABSENT');
    expect(objects()).toEqual(before);
  });

  test('when the whole bucket is emptied, then rebuild brings back the same digests', async () => {
    const before = lasting();
    for (const name of readdirSync(stored())) rmSync(at(name), { recursive: true });
    expect(await countsOf()).toEqual({ build: 1 });
    expect(await succeeds('cache', 'rebuild', file, '--all')).toContain('restored');
    expect(lasting()).toEqual(before);
    expect(await countsOf()).toEqual({ here: 1 });
  });

  test('when a review of a prune is applied, then the page is empty at once, and the bytes leave after the grace', async () => {
    writeFileSync(file, fileOf(', until: 2020-01-01'));
    const { digest } = JSON.parse(await succeeds('cache', 'prune', file, '--json')) as { digest: string };
    expect(Object.keys(objects(indexPaths.files(PLATFORM)))).toContain(at(wheel));
    await succeeds('cache', 'prune', file, '--apply', digest, '--reason', 'the platform ended');
    expect(readFileSync(at(indexPaths.page(PLATFORM, 'skiff', 'json')), 'utf8')).toContain('"files":[]');
    await until(async () => {
      await succeeds('cache', 'prune', file, '--apply', digest);
      return !Object.keys(objects()).includes(at(wheel));
    });
    await succeeds('cache', 'check', file);
  });

  test('then no history, log, record, object or output holds a credential', async () => {
    const server = await everythingTheServerTells(world.env);
    expect(server).toContain('publish/cache');
    const said = told.map(({ stdout, stderr }) => stdout + stderr).join('\n');
    for (const text of CANARIES) {
      expect(server).not.toContain(text);
      expect(said).not.toContain(text);
    }
    expect(holding(join(world.home, 'store'), [FILE])).not.toEqual([]);
    for (const folder of [world.home, stored(), user]) expect(holding(folder, CANARIES)).toEqual([]);
  });
});
