/** @needs tools */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { records } from '../../../src/model/run-folder.js';
import { aStep, newHome, runBody } from '../../support/run-body.js';
import { bodies } from '../wheels/fixture.js';

const sdist = makeSdist();
const sha256 = createHash('sha256').update(readFileSync(sdist)).digest('hex');

/** Its setup.py would fail: fetching must not run it. */
function makeSdist(): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-index-'));
  mkdirSync(join(folder, 'skiff-1.2'));
  writeFileSync(join(folder, 'skiff-1.2', 'setup.py'), 'raise SystemExit("ran")\n');
  execFileSync('tar', ['-C', folder, '--mtime=@1600000000', '-czf', join(folder, 'skiff-1.2.tar.gz'), 'skiff-1.2']);
  return join(folder, 'skiff-1.2.tar.gz');
}

/** What the index answers to each request; it stands under a path with a number, as many indexes do. */
let meets: ((request: IncomingMessage, response: ServerResponse) => boolean) | null = null;
const ROOT = '/team-404';
const PAGE = `${ROOT}/simple/skiff/`;
const FILE = `${ROOT}/skiff-1.2.tar.gz`;
let index: Server;
beforeAll(async () => {
  index = createServer((request, response) => {
    if (meets?.(request, response)) return;
    if (request.url === FILE) return void createReadStream(sdist).pipe(response);
    if (request.url !== PAGE) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!DOCTYPE html><a href="${FILE}">skiff-1.2.tar.gz</a>`);
  });
  await new Promise<void>((ready) => index.listen(0, '127.0.0.1', ready));
});
afterEach(() => (meets = null));
afterAll(() => new Promise((closed) => index.close(closed)));

const address = (): string => `http://127.0.0.1:${(index.address() as AddressInfo).port}${ROOT}/simple/`;

/** The index of this test in place of the one that is configured here. */
const asked = (): NodeJS.ProcessEnv => ({ PIP_CONFIG_FILE: '/dev/null', PIP_INDEX_URL: address() });

async function fetchSkiff(name: string, version: string, wanted: string, file?: string, pip = asked()) {
  const source = { kind: 'sdist' as const, name, version, sha256: wanted, ...(file !== undefined && { file }) };
  const others = Object.entries(process.env).filter(([key]) => !/^PIP_|^HOME$/.test(key));
  const surroundings = { env: { ...Object.fromEntries(others), ...pip } };
  return runBody(bodies.fetchSource, aStep('fetchSource', { source }), { surroundings });
}

test('given an sdist, then it is taken without running any of its code; its newest member sets the time', async () => {
  const { made } = await fetchSkiff('skiff', '1.2', sha256);
  expect(made.artifacts).toMatchObject([{ digest: `sha256:${sha256}`, kind: 'sdist', name: 'skiff-1.2.tar.gz' }]);
  expect(made.facts).toEqual({ epoch: 1_600_000_000, commit: null, version: '1.2' });
});

test('given an sdist that excludes the Python of our tools, then it is taken: another Python may build it', async () => {
  const link = `<a href="${FILE}" data-requires-python="&gt;=3.99">skiff-1.2.tar.gz</a>`;
  meets = at(PAGE, (response) => response.writeHead(200, html).end(`<!DOCTYPE html>${link}`));
  const { made } = await fetchSkiff('skiff', '1.2', sha256);
  expect(made.artifacts).toMatchObject([{ digest: `sha256:${sha256}` }]);
});

test('given other bytes than the release file names, then they are refused with both digests', async () => {
  await expect(fetchSkiff('skiff', '1.2', 'f'.repeat(64))).rejects.toMatchObject({
    first: { code: 'SHA256_MISMATCH', class: 'config', details: { wanted: 'f'.repeat(64), found: sha256 } },
  });
});

test.each([
  ['a version that is absent', 'skiff', '9'],
  ['a project that is absent', 'raft', '1'],
])('given %s, then it is refused with SDIST_ABSENT', async (_, name, version) => {
  await expect(fetchSkiff(name, version, sha256)).rejects.toMatchObject({ first: { code: 'SDIST_ABSENT' } });
});

const at = (path: string, act: (response: ServerResponse) => void): typeof meets => {
  return ({ url }, response) => url === path && (act(response), true);
};
const html = { 'content-type': 'text/html' };
const cutsTheFile = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-length': '100000' });
  response.write('half', () => response.destroy());
};

/** Whatever fails, and whatever numbers stand in the address: only an index that said "not here" makes an archive absent. */
test.each([
  ['an index that answers 500', at(PAGE, (response) => response.writeHead(500).end()), /HTTP 500|too many 500/],
  ['an index that refuses us', at(PAGE, (response) => response.writeHead(403, html).end()), /HTTP 403/],
  [
    'an index that closes the connection',
    at(PAGE, (response) => response.destroy()),
    /^the index: (the connection broke|there is no connection)$/,
  ],
  ['a page that is not of an index', at(PAGE, (response) => response.end('Back soon')), /Content-Type/],
  ['a file that is answered with 502', at(FILE, (response) => response.writeHead(502).end()), /502/],
  ['a file that breaks off', at(FILE, cutsTheFile), /skiff-1\.2\.tar\.gz/],
])('given %s, then it is an infrastructure failure', async (_, act, evidence) => {
  meets = act;
  await expect(fetchSkiff('skiff', '1.2', sha256)).rejects.toMatchObject({
    first: { code: 'INDEX_UNREACHABLE', class: 'infra', evidence: [expect.stringMatching(evidence)] },
  });
});

describe('an index that only the settings of pip name', () => {
  const CANARY = 'canary-1729';
  const guarded: NonNullable<typeof meets> = ({ headers }, response) => {
    const basic = `Basic ${Buffer.from(`kim:${CANARY}`).toString('base64')}`;
    if (headers.authorization === basic) return false;
    response.writeHead(401, { 'www-authenticate': 'Basic realm="index"' }).end();
    return true;
  };
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-pip-'));
    meets = guarded;
  });
  const configured = (lines: string): NodeJS.ProcessEnv => {
    writeFileSync(join(folder, 'pip.conf'), `[global]\n${lines}\n`);
    return { HOME: folder, PIP_CONFIG_FILE: join(folder, 'pip.conf') };
  };
  const withPassword = (): string => address().replace('//', `//kim:${CANARY}@`);

  test.each<[string, () => NodeJS.ProcessEnv]>([
    ['its address has a password', () => configured(`index-url = ${withPassword()}`)],
    [
      'netrc has its password',
      () => {
        writeFileSync(join(folder, '.netrc'), `machine 127.0.0.1 login kim password ${CANARY}\n`, { mode: 0o600 });
        return configured(`index-url = ${address()}`);
      },
    ],
    ['it is one more index', () => configured(`index-url = file://${folder}\nextra-index-url = ${withPassword()}`)],
  ])('when %s, then the sdist is fetched, and no log has the password', async (_, pip) => {
    const { made, log } = await fetchSkiff('skiff', '1.2', sha256, undefined, pip());
    expect(made.artifacts).toMatchObject([{ digest: `sha256:${sha256}` }]);
    expect(log).not.toContain(CANARY);
  });

  test('when it fails, then neither the problem nor its evidence has the password', async () => {
    meets = (request, response) => guarded(request, response) || (response.writeHead(500).end(), true);
    const failed = await fetchSkiff(
      'skiff',
      '1.2',
      sha256,
      undefined,
      configured(`index-url = ${withPassword()}`),
    ).then(
      () => null,
      (error: { problems: readonly { code: string }[] }) => error.problems,
    );
    expect(failed).toMatchObject([{ code: 'INDEX_UNREACHABLE' }]);
    expect(JSON.stringify(failed)).not.toContain(CANARY);
  });
});

describe('a commit as source', () => {
  const commit = 'c'.repeat(40);
  const step = aStep('fetchSource', { source: { kind: 'git', commit } });

  test('given its exported archive, then that is the source', async () => {
    const home = await newHome();
    const { around } = await runBody(async () => ({ artifacts: [], note: '' }), step, { home });
    await around.store.create(records.gitSource(commit), { digest: `sha256:${'a'.repeat(64)}`, size: 7, epoch: 5 });
    const { made } = await runBody(bodies.fetchSource, step, { home });
    expect(made.artifacts).toMatchObject([{ kind: 'source', name: 'source.tar', size: 7 }]);
    expect(made.facts).toEqual({ epoch: 5, commit, version: null });
  });

  test('given no exported archive, then it is refused with SOURCE_NOT_EXPORTED', async () => {
    await expect(runBody(bodies.fetchSource, step)).rejects.toMatchObject({ first: { code: 'SOURCE_NOT_EXPORTED' } });
  });
});

/** Bytes of an sdist with these files below `top`. */
function bytesOf(top: string, files: Readonly<Record<string, string>>): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-named-'));
  mkdirSync(join(folder, top));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, top, name), text);
  execFileSync('tar', ['-C', folder, '--mtime=@1500000000', '-czf', join(folder, 'a.tar.gz'), top]);
  return readFileSync(join(folder, 'a.tar.gz'));
}

/** Runs the step of a named source whose file is in the bundle. */
async function fetchFile(name: string, version: string, bytes: Buffer, wanted?: string) {
  const digest = wanted ?? createHash('sha256').update(bytes).digest('hex');
  const source = { kind: 'sdist' as const, name, version, sha256: digest, path: 'sdists/a-1.tar.gz' };
  const body: typeof bodies.fetchSource = (work) => {
    mkdirSync(join(work.files, 'sdists'), { recursive: true });
    writeFileSync(join(work.files, source.path), bytes);
    return bodies.fetchSource(work);
  };
  return runBody(body, aStep('fetchSource', { source }, { id: 'source/a-1' }));
}

describe('an sdist beside the release file', () => {
  const hull = bytesOf('hull-1', {
    'PKG-INFO': 'Metadata-Version: 2.1\nName: Hull.Core\nVersion: 1.0\n\nName: other\n',
  });

  test('given its own name and version, then it is the source', async () => {
    const { made } = await fetchFile('hull-core', '1', hull);
    expect(made).toMatchObject({
      artifacts: [{ kind: 'sdist', name: 'a-1.tar.gz' }],
      facts: { epoch: 1_500_000_000, version: '1' },
    });
  });

  test.each([
    ['the name of another project', 'hull', '1.0'],
    ['another version', 'hull-core', '1.1'],
  ])('given %s, then it is refused', async (_, name, version) => {
    await expect(fetchFile(name, version, hull)).rejects.toMatchObject({
      first: {
        code: 'SDIST_OTHER_PROJECT',
        path: 'sources.a-1.sdist',
        message: expect.stringContaining('Hull.Core 1.0'),
      },
    });
  });

  test('given other bytes than its digest says, then it is refused at its key', async () => {
    await expect(fetchFile('hull-core', '1', hull, 'f'.repeat(64))).rejects.toMatchObject({
      first: { code: 'SHA256_MISMATCH', path: 'sources.a-1.sha256' },
    });
  });

  test('given a member outside of its folder, then it is refused', async () => {
    const tar = [
      '-c',
      `import io, sys, tarfile
tar = tarfile.open(fileobj=sys.stdout.buffer, mode="w|gz")
info = tarfile.TarInfo("a-1/../../out"); info.size = 1
tar.addfile(info, io.BytesIO(b"x")); tar.close()`,
    ];
    await expect(fetchFile('a', '1', execFileSync('python3', tar))).rejects.toMatchObject({
      first: { code: 'ARCHIVE_UNSAFE' },
    });
  });
});

describe('given an index with several source archives of a version', () => {
  const zip = Buffer.from('not read');
  beforeEach(() => {
    meets = ({ url }, response) => {
      if (url === `${ROOT}/skiff-1.2.zip`) return (response.end(zip), true);
      if (url !== PAGE) return false;
      response.writeHead(200, html);
      const links = ['skiff-1.2.tar.gz', 'skiff-1.2.zip', 'skiff-1.3.zip'].map(
        (name) => `<a href="${ROOT}/${name}">${name}</a>`,
      );
      return (response.end(`<!DOCTYPE html>${links.join('')}`), true);
    };
  });

  test('then the file that the source names is taken', async () => {
    const wanted = createHash('sha256').update('other').digest('hex');
    await expect(fetchSkiff('skiff', '1.2', wanted, 'skiff-1.2.zip')).rejects.toMatchObject({
      first: { code: 'SHA256_MISMATCH', message: expect.stringContaining('skiff-1.2.zip') },
    });
  });

  test('then a file that is absent is reported with those of the version', async () => {
    await expect(fetchSkiff('skiff', '1.2', sha256, 'skiff-1.2.tar.bz2')).rejects.toMatchObject({
      first: { code: 'SDIST_ABSENT', next: expect.stringContaining('skiff-1.2.tar.gz, skiff-1.2.zip') },
    });
  });
});
